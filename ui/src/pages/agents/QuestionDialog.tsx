// One question with all its calls: what was sent, what came back, what was not taken over and why, cost and time. All of it is text.
import { useQuery } from '@tanstack/react-query';
import { ShieldBan } from 'lucide-react';
import type { ReactNode } from 'react';
import { questionQuery } from '../../api/queries';
import type { ModelCall, ModelFault, ModelQuestion } from '../../api/types';
import { EntryLink } from '../../components/EntryLink';
import { Loaded } from '../../components/Loaded';
import { outcomeOf } from '../../components/outcome';
import { Badge } from '../../ui/Badge';
import { Dialog } from '../../ui/Dialog';
import { LongText } from '../../ui/LongText';
import { Pairs } from '../../ui/Pairs';
import { Tree } from '../../ui/Tree';
import { digits } from '../../util/numbers';
import { moment } from '../../util/time';
import { failureWords, FAULTS, money, stateOf, timeOf } from './questions';
import css from './Questions.module.css';

/** As much of a text as leaves the next one in view. */
const MOST = 600;

interface Props {
  agent: string;
  asked: ModelQuestion;
  onClose: () => void;
}

export function QuestionDialog({ agent, asked, onClose }: Props) {
  const query = useQuery(questionQuery(agent, asked.seq, asked.state));
  return (
    <Dialog wide title={`Question ${asked.number}, asked at ${moment(asked.at)}`} onClose={onClose}>
      <Loaded query={query} lines={8}>
        {(question) => <Whole question={question} />}
      </Loaded>
    </Dialog>
  );
}

function Whole({ question }: { question: ModelQuestion }) {
  const { words, tone } = stateOf(question);
  const { decision } = question;
  // What nobody can be held to account for belongs to the question as a whole.
  const others = question.faults.filter(({ role }) => !question.calls.some((call) => call.role === role));
  return (
    <>
      <Pairs
        pairs={[
          [
            'How it went',
            <Badge key="state" tone={tone}>
              {words}
            </Badge>,
          ],
          ...(decision ? [['Decided', outcomeOf(decision).words] as const] : []),
          ...(decision?.instead
            ? [['Instead', `${decision.instead.by}, because ${decision.instead.why}`] as const]
            : []),
          [
            'In the record',
            <span key="entries">
              asked in <EntryLink seq={question.seq} />
              {typeof question.answeredSeq === 'number' && (
                <>
                  , answered in <EntryLink seq={question.answeredSeq} />
                </>
              )}
            </span>,
          ],
        ]}
      />
      {others.length > 0 && <Faults faults={others} />}
      {question.calls.map((call) => (
        <Asked
          key={`${call.role}/${call.key}`}
          call={call}
          faults={question.faults.filter(({ role }) => role === call.role)}
        />
      ))}
    </>
  );
}

function Asked({ call, faults }: { call: ModelCall; faults: ModelFault[] }) {
  const { reply } = call;
  return (
    <section className={css.call} aria-label={`${call.role}, ${call.model}`}>
      <h3 className={css.role}>
        {call.role} <span className={css.model}>{call.model}</span>
        {reply?.failure && <Badge tone="bad">{failureWords(reply.failure)}</Badge>}
        {reply && !reply.failure && !reply.complete && <Badge tone="warn">cut off</Badge>}
        {faults.length > 0 && <Badge tone="warn">not taken over</Badge>}
      </h3>
      <p className={css.facts}>
        {reply
          ? `${timeOf(reply)} · ${digits(reply.promptTokens)} tokens in, ${digits(reply.completionTokens)} out · ${money(reply.costMicroDollars)}`
          : 'no answer yet'}
        {typeof call.temperature === 'number' && ` · temperature ${call.temperature}`} · at most{' '}
        {digits(call.maxTokens)} tokens
      </p>
      {faults.length > 0 && <Faults faults={faults} />}
      <Part title="What came back">
        {reply?.failure ? (
          <p className={css.failure}>{reply.message ?? failureWords(reply.failure)}</p>
        ) : typeof reply?.text === 'string' ? (
          <div className={css.message}>
            <LongText mono text={reply.text} most={MOST} label={`the answer of ${call.role}`} />
          </div>
        ) : (
          <p className={css.model}>Nothing yet.</p>
        )}
      </Part>
      <Part title={`What was sent, ${digits(call.sentCharacters)} characters`}>
        {(call.messages ?? []).map(({ speaker, text }, index) => (
          <div key={index} className={css.message}>
            <b>{speaker}</b>
            <LongText mono text={text} most={MOST} label={`what ${speaker} says to ${call.role}`} />
          </div>
        ))}
        {call.schema !== null && call.schema !== undefined && (
          <details className={css.schema}>
            <summary>The form that was asked for</summary>
            <Tree value={call.schema} open={1} />
          </details>
        )}
      </Part>
    </section>
  );
}

function Faults({ faults }: { faults: ModelFault[] }) {
  return (
    <Part title="What was not taken over, and why">
      <ul className={css.faults}>
        {faults.map(({ kind, text }, index) => (
          <li key={index}>
            <ShieldBan size={14} aria-hidden="true" />
            <span>
              <b>{FAULTS[kind]}:</b> {text}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={css.part}>
      <h4>{title}</h4>
      {children}
    </div>
  );
}

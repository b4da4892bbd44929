// Decisions one after the other that came to the same, as one line.
import type { AgentDecision } from '../../api/types';
import { outcomeOf } from '../../components/outcome';

export interface DecisionRun {
  /** The newest of them. */
  last: AgentDecision;
  first: AgentDecision;
  times: number;
}

/** Words alone tell: those about something new or refused never say the same as those about nothing. */
function isSame(decision: AgentDecision, words: string): boolean {
  return outcomeOf(decision).words === words;
}

/** Only what changed nothing is put together; whatever was proposed or refused stands by itself. */
export function runsOf(decisions: readonly AgentDecision[]): DecisionRun[] {
  const runs: DecisionRun[] = [];
  for (const decision of decisions) {
    const open = runs.at(-1);
    const { words, quiet } = outcomeOf(decision);
    if (open && quiet && isSame(open.first, words)) {
      open.first = decision;
      open.times += 1;
    } else {
      runs.push({ last: decision, first: decision, times: 1 });
    }
  }
  return runs;
}

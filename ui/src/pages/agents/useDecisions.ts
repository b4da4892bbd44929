// The decisions of an agent, as far back as somebody asks: the last ones live, those before them a page at a time.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decisionsQuery } from '../../api/queries';
import type { AgentDecision, AgentDetail } from '../../api/types';
import { earlier, isTelling, joined } from './past';
import type { AgentSearch } from './search';

/** The last decisions, and while older ones are shown, all that were heard since: between the two nothing may be missing. */
function useHeard(live: readonly AgentDecision[], keep: boolean): readonly AgentDecision[] {
  const [last, setLast] = useState(live);
  const [heard, setHeard] = useState(live);
  if (live !== last) {
    setLast(live);
    setHeard(keep ? joined(heard, live) : live);
  }
  return heard;
}

export function useDecisions(agent: AgentDetail, { decisions, until }: AgentSearch) {
  const telling = decisions === 'telling';
  const [wantsOlder, setWantsOlder] = useState(false);
  // What is heard live may have nothing of what is looked for.
  const isAsked = wantsOlder || telling || until !== undefined || agent.decisions.length === 0;
  const heard = useHeard(agent.decisions, isAsked);
  const oldest = heard.at(-1);
  const before = earlier(until, oldest?.at);
  const query = useInfiniteQuery({
    ...decisionsQuery(agent.name, {
      ...(telling ? { telling } : {}),
      ...(before === undefined ? {} : { until: before }),
    }),
    enabled: isAsked,
  });
  const isOlder = ({ seq }: AgentDecision) => !oldest || seq < oldest.seq;
  const isWanted = (decision: AgentDecision) =>
    (!telling || isTelling(decision)) && (until === undefined || decision.at <= until);
  const pages = query.data?.pages ?? [];
  return {
    shown: [...heard.filter(isWanted), ...pages.flatMap(({ items }) => items).filter(isOlder)],
    query,
    isAsked,
    /** The last piece of the record that was searched had nothing more. */
    foundNothing: pages.at(-1)?.items.some(isOlder) === false,
    cursor: pages.at(-1)?.nextCursor,
    goBack: () => (isAsked ? void query.fetchNextPage() : setWantsOlder(true)),
  };
}

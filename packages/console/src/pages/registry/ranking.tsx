import type { MatchRequest, MatchResult } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { agentColumn, trustColumn } from '../../ui/agent-columns.tsx';
import { AgentLink } from '../../ui/agent-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { partNames, reasonText, whyBefore } from './match-words.ts';
import { PartsBar } from './parts-bar.tsx';

/** As many as fit on a page; a narrower question finds what comes after. */
const limit = 50;

const columns: readonly Column<MatchResult>[] = [
  agentColumn,
  trustColumn,
  { head: 'Match', cell: ({ match_score: score }) => score.toFixed(4), isNumber: true },
  { head: 'Its parts', cell: ({ match_parts: parts }) => <PartsBar parts={parts} /> },
  ...partNames.map(
    ([part, name]): Column<MatchResult> => ({
      head: name,
      cell: ({ match_parts: parts }) => parts[part].points.toFixed(4),
      isNumber: true,
    }),
  ),
  { head: 'Because it', cell: ({ match_reasons: reasons }) => <Foreign text={reasons.map(reasonText).join('; ')} /> },
];

/** Agents that meet every filter, best first, with the parts of each match_score side by side. */
export function Ranking({ request }: { request: MatchRequest }): ReactElement {
  const matches = useAsk(['match', request], (client, signal) => client.match({ ...request, limit }, { signal }), {
    keepsFormer: true,
  });
  return (
    <Answer of={matches} what="matches">
      {(results) =>
        results.length === 0 ? (
          <Empty>
            No agent meets every filter. Fewer filters find more; under Capabilities are all names that are known.
          </Empty>
        ) : (
          <>
            <WhyFirst results={results} />
            <DataTable
              caption={`The best ${results.length === 1 ? 'and only match' : `${results.length} matches`}, best first`}
              columns={columns}
              rows={results}
              keyOf={({ agent_id: agentId }) => agentId}
            />
          </>
        )
      }
    </Answer>
  );
}

function WhyFirst({ results }: { results: readonly MatchResult[] }): ReactElement | null {
  const [first, second] = results;
  if (first === undefined || second === undefined) return null;
  return (
    <p>
      <strong>Why is this one first?</strong> <AgentLink agentId={first.agent_id} /> stands before{' '}
      <AgentLink agentId={second.agent_id} />. {whyBefore(first, second)}
    </p>
  );
}

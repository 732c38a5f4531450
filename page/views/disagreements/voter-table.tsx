import type { JudgeAgreement, VoterAgreement } from "../../../src/api/votes.ts";
import { saveFile } from "../../api/save-file.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const save = (format: string) => saveFile(`/api/votes/export?format=${format}`);

/** How often the voter sided with each judge; it changes with every vote. */
export function VoterTable({ agreement: { votes, books, judges, file } }: { readonly agreement: VoterAgreement }) {
  const texts = useTexts();
  const saving = useAction(save);
  return (
    <section aria-label={texts.voterAgreement}>
      <h2>{texts.voterAgreement}</h2>
      {judges.length === 0 ? (
        <p className="muted">{texts.noVotesYet}</p>
      ) : (
        <>
          <TableScroller label={texts.voterAgreement}>
            <table className="voter-agreement">
              <ColumnNames names={[texts.judge, texts.sidedShare, texts.intervalShare, texts.votesColumn]} />
              <tbody>
                {judges.map((judge) => (
                  <tr key={judge.name}>
                    <th scope="row">
                      <JudgeLabel judge={judge.judge} name={judge.name} />
                    </th>
                    <td className="number">{inPercent(judge.share)}</td>
                    <td>
                      <ShareBar judge={judge} />
                      <span className="number muted">
                        {inPercent(judge.interval[0])}–{inPercent(judge.interval[1])}
                      </span>
                    </td>
                    <td className="number">{judge.votes}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroller>
          <p className="hint">{texts.voterAgreementNote(votes, books)}</p>
          <OwnScores judges={judges} />
          <div className="actions">
            <button type="button" className="quiet" onClick={() => void saving.run("csv")}>
              {texts.exportVotes} (CSV)
            </button>
            <button type="button" className="quiet" onClick={() => void saving.run("jsonl")}>
              JSONL
            </button>
          </div>
          {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
          <details>
            <summary>{texts.voteCommand}</summary>
            <pre className="command-line">{`fabula agree --votes ${file}\nfabula health SCORES --votes ${file}`}</pre>
          </details>
        </>
      )}
    </section>
  );
}

/** A share between 0 and 1 with its interval, and chance in the middle. */
function ShareBar({ judge: { share, interval } }: { readonly judge: JudgeAgreement }) {
  const percent = (value: number) => `${100 * value}%`;
  return (
    <span className="share-bar" aria-hidden="true">
      <i className="whisker" style={{ left: percent(interval[0]), width: percent(interval[1] - interval[0]) }} />
      <i className="dot" style={{ left: percent(share) }} />
    </span>
  );
}

function OwnScores({ judges }: { readonly judges: readonly JudgeAgreement[] }) {
  const texts = useTexts();
  const near = judges.flatMap(({ name, distance }) => (distance ? [{ name, ...distance }] : []));
  if (near.length === 0) return null;
  return (
    <p className="hint">
      {texts.ownDistance}: {near.map(({ name, value, n }) => `${name} ${value.toFixed(1)} (${n})`).join(" · ")}
    </p>
  );
}

function inPercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

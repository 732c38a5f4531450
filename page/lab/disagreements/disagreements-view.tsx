import { useState } from "react";
import type { DisagreementRow, JudgeAgreement, JudgeStanding, VoterAgreement } from "../../../src/api/votes.ts";
import { api, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Field } from "../../parts/field.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import { VoteDesk } from "./vote-desk.tsx";
import "./disagreements.css";
import { saveFile } from "../../api/save-file.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { signed } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { count } from "../../texts/language.ts";

const save = (format: string) => saveFile(pathOf(api.votes.export, { query: { format } }));

/** How often the voter sided with each judge; it changes with every vote. */
function VoterTable({ agreement: { votes, books, judges, file } }: { readonly agreement: VoterAgreement }) {
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

/** Whose verdict to believe: blind votes on what judges dispute, and how often the voter sides with each. */
export default function DisagreementsView({ route }: ViewProps) {
  const texts = useTexts();
  const rows = usePages(api.disagreements, { query: {} }, 50);
  const isKnown = rows.total !== null;
  return (
    <View title={texts.disagreements} className="disagreements">
      <p>{texts.disagreementsIntroduction}</p>
      <p className="hint">{texts.hundredScale}</p>
      {rows.problem ? <ProblemNotice problem={rows.problem} again={rows.reload} /> : null}
      {isKnown || rows.problem ? null : <p className="loading">{texts.loading}</p>}
      {isKnown ? (
        rows.total === 0 ? (
          <EmptyState title={texts.noDisagreements} hint={texts.noDisagreementsHint} />
        ) : (
          <Bench route={route} rows={rows} />
        )
      ) : null}
    </View>
  );
}

function Bench({ route: { query }, rows }: ViewProps & { readonly rows: Pages<DisagreementRow> }) {
  const texts = useTexts();
  const [name, setName] = useState(query.get("voter") ?? texts.voterDefault);
  const voter = useDebounced(name.trim() || texts.voterDefault, 300);
  const seed = Number(query.get("seed") ?? 1) || 1;
  const [book, aspect] = [query.get("book") ?? "", query.get("aspect") ?? ""];
  const agreement = useAnswer(api.votes, { query: { voter } });
  const standings = useAnswer(api.disagreements.judges);
  const link = (chosen: { readonly book?: string; readonly aspect?: string }) =>
    to(["disagreements"], { voter: name === texts.voterDefault ? "" : name, seed: seed === 1 ? "" : seed, ...chosen });
  const only = rows.items.find((row) => row.bookId === book && row.aspect === aspect) ?? null;
  const rename = (given: string) => {
    setName(given);
    replaceRoute(to(["disagreements"], { voter: given, seed: seed === 1 ? "" : seed, book, aspect }));
  };
  return (
    <>
      <div className="voting">
        <VoteDesk
          key={`${voter} ${seed} ${book} ${aspect}`}
          {...{ voter, seed, book, aspect, only }}
          allLink={link({})}
          onAgreement={agreement.replace}
        />
        <aside>
          <Field label={texts.voterLabel} hint={texts.voterHint}>
            {(attributes) => (
              <input {...attributes} maxLength={80} value={name} onChange={(event) => rename(event.target.value)} />
            )}
          </Field>
          <Waiting asked={agreement}>{(known) => <VoterTable agreement={known} />}</Waiting>
        </aside>
      </div>
      <Waiting asked={standings}>{(known) => <JudgeStandings standings={known} />}</Waiting>
      <WidestRows rows={rows.items} linkTo={(row) => link({ book: row.bookId, aspect: row.aspect })} />
      <LoadMore pages={rows} />
    </>
  );
}

/** Which judge goes its own way. The name leads to what is known of whether it can be trusted. */
function JudgeStandings({ standings }: { readonly standings: readonly JudgeStanding[] }) {
  const texts = useTexts();
  return (
    <section aria-label={texts.againstOthers}>
      <h2>{texts.againstOthers}</h2>
      <p className="hint">{texts.againstOthersNote}</p>
      <TableScroller label={texts.againstOthers}>
        <table className="standings">
          <ColumnNames
            names={[
              texts.judge,
              texts.correlationWithOthers,
              texts.intervalShare,
              texts.leanColumn,
              texts.distanceColumn,
              texts.verdictsColumn,
            ]}
          />
          <tbody>
            {standings.map((standing) => (
              <tr key={standing.name}>
                <th scope="row">
                  <a href={to(["evaluations", standing.evaluationId], { tab: "trust" })}>
                    <JudgeLabel judge={standing.judge} name={standing.name} />
                  </a>{" "}
                  {standing.standsApart ? <span className="tag">{texts.standsApart}</span> : null}
                </th>
                <td className="number">{standing.correlation ? signed(standing.correlation.value, 2) : "–"}</td>
                <td className="number muted">
                  {standing.correlation?.interval
                    ? standing.correlation.interval.map((end) => signed(end, 2)).join(" … ")
                    : "–"}
                </td>
                <td className="number">{signed(standing.lean)}</td>
                <td className="number">{standing.distance.toFixed(1)}</td>
                <td className="number">{count(standing.verdicts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

interface WidestRowsProps {
  readonly rows: readonly DisagreementRow[];
  readonly linkTo: (row: DisagreementRow) => string;
}

/** Books and aspects by how far the judges' scores lie apart; no names, since a vote may follow. */
function WidestRows({ rows, linkTo }: WidestRowsProps) {
  const texts = useTexts();
  const names = useNames();
  return (
    <section aria-label={texts.widest}>
      <h2>{texts.widest}</h2>
      <TableScroller label={texts.widest}>
        <table className="widest">
          <ColumnNames names={[texts.book, texts.aspect, texts.spreadColumn, texts.scoresColumn, texts.voteOnThis]} />
          <tbody>
            {rows.map((row) => {
              const aspect = row.aspect === "overall" ? texts.overall : names.aspect(row.aspect, row.aspectName);
              return (
                <tr key={row.id}>
                  <th scope="row">
                    <a href={to(["books", row.bookId])}>{row.title}</a>
                  </th>
                  <td>
                    {aspect}{" "}
                    {row.passages.length > 0 ? (
                      <span className="tag quiet">{texts.passageDisputed(row.passages.length)}</span>
                    ) : null}
                  </td>
                  <td className="number">{row.spread.toFixed(1)}</td>
                  <td>
                    <ScoreDots scores={row.scores} />
                    <span className="number muted">{row.scores.map((score) => score.toFixed(1)).join(" · ")}</span>
                  </td>
                  <td>
                    <a href={linkTo(row)} aria-label={`${texts.voteOnThis}: ${row.title}, ${aspect}`}>
                      {texts.voteOnThis}
                    </a>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

function ScoreDots({ scores }: { readonly scores: readonly number[] }) {
  return (
    <span className="share-bar" aria-hidden="true">
      {scores.map((score, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two scores may be alike.
        <i key={position} className="dot" style={{ left: `${Math.max(0, Math.min(100, score))}%` }} />
      ))}
    </span>
  );
}

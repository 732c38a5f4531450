import { useState } from "react";
import type { DisagreementRow, JudgeAgreement, JudgeStanding, VoterAgreement } from "../../../src/api/votes.ts";
import { api, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { ActionButton } from "../../parts/action.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Input } from "../../parts/field.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import { VoteDesk } from "./vote-desk.tsx";
import "./disagreements.css";
import { saveFile } from "../../api/save-file.ts";
import { signed } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { Table } from "../../parts/table.tsx";
import { count } from "../../texts/language.ts";

const save = (format: string) => saveFile(pathOf(api.votes.export, { query: { format } }));

/** How often the voter sided with each judge; it changes with every vote. */
function VoterTable({ agreement: { votes, books, judges, file } }: { readonly agreement: VoterAgreement }) {
  const texts = useTexts();
  return (
    <section aria-label={texts.voterAgreement}>
      <h2>{texts.voterAgreement}</h2>
      {judges.length === 0 ? (
        <p className="muted">{texts.noVotesYet}</p>
      ) : (
        <>
          <Table
            label={texts.voterAgreement}
            className="voter-agreement"
            rows={judges}
            columns={[
              [texts.judge, ({ judge, name }) => <JudgeLabel judge={judge} name={name} />],
              [texts.sidedShare, ({ share }) => inPercent(share), "number"],
              [
                texts.intervalShare,
                (judge) => (
                  <>
                    <ShareBar judge={judge} />
                    <span className="number muted">{judge.interval.map(inPercent).join("–")}</span>
                  </>
                ),
              ],
              [texts.votesColumn, (judge) => judge.votes, "number"],
            ]}
          />
          <p className="hint">{texts.voterAgreementNote(votes, books)}</p>
          <OwnScores judges={judges} />
          <div className="actions">
            <ActionButton className="quiet" act={() => save("csv")}>
              {texts.exportVotes} (CSV)
            </ActionButton>
            <ActionButton className="quiet" act={() => save("jsonl")}>
              JSONL
            </ActionButton>
          </div>
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
      <ProblemNotice problem={rows.problem} again={rows.reload} />
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
          <Input
            label={texts.voterLabel}
            hint={texts.voterHint}
            maxLength={80}
            value={name}
            onChange={(event) => rename(event.target.value)}
          />
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
      <Table
        label={texts.againstOthers}
        className="standings"
        rows={standings}
        columns={[
          [
            texts.judge,
            ({ judge, name, evaluationId, standsApart }) => {
              // Settings that tell two lines of one judge apart are no part of its name.
              const [first = name, method, ...settings] = name.split(" · ");
              return (
                <>
                  <a href={to(["evaluations", evaluationId], { tab: "trust" })}>
                    <JudgeLabel judge={judge} name={method === undefined ? first : `${first} · ${method}`} />
                  </a>{" "}
                  {standsApart ? <span className="tag">{texts.standsApart}</span> : null}
                  {settings.length > 0 ? <small className="settings-of-judge">{settings.join(" · ")}</small> : null}
                </>
              );
            },
          ],
          [
            texts.correlationWithOthers,
            ({ correlation }) => (correlation ? signed(correlation.value, 2) : "–"),
            "number",
          ],
          [
            texts.intervalShare,
            ({ correlation }) => correlation?.interval?.map((end) => signed(end, 2)).join(" … ") ?? "–",
            "number muted",
          ],
          [texts.leanColumn, ({ lean }) => signed(lean), "number"],
          [texts.distanceColumn, ({ distance }) => distance.toFixed(1), "number"],
          [texts.verdictsColumn, ({ verdicts }) => count(verdicts), "number"],
        ]}
      />
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
  const aspectOf = ({ aspect, aspectName }: DisagreementRow) =>
    aspect === "overall" ? texts.overall : names.aspect(aspect, aspectName);
  return (
    <section aria-label={texts.widest}>
      <h2>{texts.widest}</h2>
      <Table
        label={texts.widest}
        className="widest"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          [texts.book, ({ bookId, title }) => <a href={to(["books", bookId])}>{title}</a>],
          [
            texts.aspect,
            (row) => (
              <>
                {aspectOf(row)}{" "}
                {row.passages.length > 0 ? (
                  <span className="tag quiet">{texts.passageDisputed(row.passages.length)}</span>
                ) : null}
              </>
            ),
          ],
          [texts.spreadColumn, ({ spread }) => spread.toFixed(1), "number"],
          [
            texts.scoresColumn,
            ({ scores }) => (
              <>
                <ScoreDots scores={scores} />
                <span className="number muted">{scores.map((score) => score.toFixed(1)).join(" · ")}</span>
              </>
            ),
            "scores",
          ],
          [
            <span key="vote" className="visually-hidden">
              {texts.voteOnThis}
            </span>,
            (row) => (
              <a href={linkTo(row)} aria-label={`${texts.voteOnThis}: ${row.title}, ${aspectOf(row)}`}>
                {texts.voteOnThis}
              </a>
            ),
          ],
        ]}
      />
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

import { useState } from "react";
import type { DisagreementRow, JudgeStanding, VoterAgreement } from "../../../src/api/votes.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Field } from "../../parts/field.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { JudgeStandings } from "./judge-standings.tsx";
import { VoteDesk } from "./vote-desk.tsx";
import { VoterTable } from "./voter-table.tsx";
import { WidestRows } from "./widest-rows.tsx";
import "./disagreements.css";

const nothing = {};

/** Whose verdict to believe: blind votes on what judges dispute, and how often the voter sides with each. */
export default function DisagreementsView({ route }: ViewProps) {
  const texts = useTexts();
  const rows = usePages<DisagreementRow>("/api/disagreements", nothing, 50);
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
  const agreement = useAnswer<VoterAgreement>(address("/api/votes", { voter }));
  const standings = useAnswer<readonly JudgeStanding[]>("/api/disagreements/judges");
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

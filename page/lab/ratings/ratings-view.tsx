import { useLayoutEffect, useState } from "react";
import type {
  DecisionSent,
  ItemText,
  LibraryStudyRequest,
  LinkRevoked,
  RatedItem,
  RatedKind,
  RatingQueue,
  RatingSaid,
  RatingSent,
  RatingStudy,
  RatingSummary,
} from "../../../src/api/ratings.ts";
import type { TrustAnswer } from "../../../src/api/trust.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { useAnswer, useRepeated } from "../../api/use-answer.ts";
import { ActionButton, ActionForm, fileIn } from "../../parts/action.tsx";
import { Choice, Input } from "../../parts/field.tsx";
import { figure, moment } from "../../parts/formats.ts";
import { Table } from "../../parts/table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { Answer } from "../trust/trust-view.tsx";
import "../questions/questions.css";

/** Several people rate the same texts, pairs or answers: the list of studies, one study, or one rater's queue. */
export default function RatingsView({ route }: ViewProps) {
  const [, id, part] = route.path;
  if (id === undefined) return <Studies />;
  const rater = route.query.get("rater");
  return part === "rate" && rater ? <Queue id={id} rater={rater} /> : <OneStudy id={id} />;
}

function Studies() {
  const { texts, language } = usePreferences();
  const studies = useAnswer(api.ratings);
  return (
    <View title={texts.ratings}>
      <p>{texts.ratingsIntroduction}</p>
      <StudyForm onAdded={studies.reload} />
      <Waiting asked={studies}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{texts.ratingNone}</p>
          ) : (
            <Table
              label={texts.ratings}
              rows={list}
              columns={[
                [texts.questionsName, ({ id, name }) => <a href={to(["ratings", id])}>{name}</a>],
                [texts.items, ({ items }) => items, "number"],
                [texts.ratingRaters, ({ raters }) => raters.join(", ")],
                [texts.date, ({ createdAt }) => moment(createdAt, language), "moment"],
              ]}
            />
          )
        }
      </Waiting>
    </View>
  );
}

const SOURCES = {
  table: "ratingFromTable",
  books: "ratingFromBooks",
  chapters: "ratingFromChapters",
  pairs: "ratingFromPairs",
  answers: "ratingFromAnswers",
} as const satisfies Readonly<Record<RatedKind | "table", string>>;

/** A study of the library: everything of a kind, what was chosen of it, or so many drawn at random. */
async function addFromLibrary(
  kind: RatedKind,
  given: FormData,
  name: string,
  items: ReadonlySet<string>,
): Promise<void> {
  const number = (field: string) => (given.get(field) ? Number(given.get(field)) : null);
  const sent: LibraryStudyRequest = {
    kind,
    name,
    books: [],
    run: kind === "answers" ? String(given.get("run") ?? "") : null,
    items: [...items],
    most: number("most"),
    raters: String(given.get("raters") ?? "")
      .split(",")
      .map((rater) => rater.trim())
      .filter((rater) => rater !== ""),
    perItem: number("perItem"),
    minimum: number("minimum") ?? 0,
    maximum: number("maximum") ?? 0,
  };
  await ask(api.ratings.library.$post, { json: sent });
}

function StudyForm({ onAdded }: { readonly onAdded: () => void }) {
  const texts = useTexts();
  const [source, setSource] = useState<keyof typeof SOURCES>("table");
  const runs = useAnswer(api.questions, source === "answers" ? {} : null);
  const [wantedRun, setRun] = useState<string | null>(null);
  const run = source === "answers" ? (wantedRun ?? runs.answer?.[0]?.id ?? null) : null;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setChosen(new Set());
    };
  };
  const add = async (given: FormData) => {
    if (source === "table") {
      const said = (name: string) => String(given.get(name) ?? "");
      // The fields come before the file: what is sent after it may be read too late.
      const fields = {
        raters: said("raters"),
        perItem: said("perItem"),
        minimum: said("minimum"),
        maximum: said("maximum"),
      };
      await ask(api.ratings.$post, { form: { ...fields, file: fileIn(given) } });
    } else {
      await addFromLibrary(source, given, texts[SOURCES[source]], chosen);
      setChosen(new Set());
    }
    onAdded();
  };
  return (
    <ActionForm label={texts.ratingNew} submit={texts.ratingNew} act={add}>
      <Choice
        label={texts.ratingSource}
        value={source}
        options={(Object.keys(SOURCES) as (keyof typeof SOURCES)[]).map((kind) => [kind, texts[SOURCES[kind]]])}
        onChoose={choose(setSource)}
      />
      {source === "table" ? (
        <Input
          label={texts.ratingItems}
          hint={texts.ratingItemsHint}
          name="file"
          type="file"
          required
          accept=".csv,.tsv,.jsonl,.json,.gz"
        />
      ) : (
        <div className="toolbar">
          {source === "answers" ? (
            <Choice
              label={texts.ratingRun}
              name="run"
              required
              value={run ?? ""}
              options={(runs.answer ?? []).map(({ id, name }) => [id, name])}
              onChoose={choose(setRun)}
            />
          ) : null}
          <Input label={texts.ratingMost} hint={texts.ratingMostHint} name="most" type="number" min={1} max={100_000} />
        </div>
      )}
      {source === "table" || (source === "answers" && run === null) ? null : (
        <ItemChoice key={`${source} ${run}`} kind={source} run={run} chosen={chosen} onChoose={setChosen} />
      )}
      <Input
        label={texts.ratingRaters}
        hint={texts.ratingRatersHint}
        name="raters"
        type="text"
        required
        maxLength={1000}
      />
      <div className="toolbar">
        <Input
          label={texts.ratingPerItem}
          hint={texts.ratingPerItemHint}
          name="perItem"
          type="number"
          min={1}
          max={50}
        />
        <Input label={texts.ratingLowest} name="minimum" type="number" defaultValue={1} />
        <Input label={texts.ratingHighest} name="maximum" type="number" defaultValue={5} />
      </div>
    </ActionForm>
  );
}

interface ItemChoiceProps {
  readonly kind: RatedKind;
  readonly run: string | null;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Single books, chapters, pairs or answers, where not all of them are to be rated. */
function ItemChoice({ kind, run, chosen, onChoose }: ItemChoiceProps) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const asked = useAnswer(api.ratings.library, isOpen ? { query: { kind, search, run } } : null);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.ratingChoose}</summary>
      <Input
        label={texts.ratingSearch}
        type="search"
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          // Enter in a field would begin the study.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      <Waiting asked={asked}>
        {({ choices, total }) => (
          <>
            <fieldset className="rating-choices">
              <legend>{texts[SOURCES[kind]]}</legend>
              {choices.map(({ id, name }) => (
                <label key={id}>
                  <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
                  {name}
                </label>
              ))}
            </fieldset>
            {choices.length < total ? <p className="hint">{texts.ratingShown(choices.length, total)}</p> : null}
          </>
        )}
      </Waiting>
      <p role="status">
        {texts.ratingChosen(chosen.size)}{" "}
        {chosen.size > 0 ? (
          <button type="button" className="quiet" onClick={() => onChoose(new Set())}>
            {texts.ratingClear}
          </button>
        ) : null}
      </p>
    </details>
  );
}

const REFRESH_MILLISECONDS = 5000;

function OneStudy({ id }: { readonly id: string }) {
  const texts = useTexts();
  const param = { id };
  const asked = useAnswer(api.ratings[":id"], { param });
  const [found, setFound] = useState<TrustAnswer | null>(null);
  const askWhom = async () => {
    setFound(null);
    setFound(await ask(api.ratings[":id"].trust.$get, { param }));
  };
  // Others rate meanwhile: how far they are and how well they agree follows by itself.
  const { reload } = asked;
  const revoke = async (rater: string) => {
    const sent: LinkRevoked = { rater };
    await ask(api.ratings[":id"].links.$put, { param, json: sent });
    reload();
  };
  useRepeated(asked, REFRESH_MILLISECONDS, true);
  return (
    <View title={asked.answer?.name ?? texts.ratings} kicker={<a href={to(["ratings"])}>{texts.ratings}</a>}>
      <Waiting asked={asked}>
        {(study) => (
          <>
            <Table
              label={texts.ratingRaters}
              rows={study.progress}
              columns={[
                [texts.raterLabel, ({ rater }) => <a href={to(["ratings", id, "rate"], { rater })}>{rater}</a>],
                [texts.ratingDone, ({ done, assigned }) => texts.rowsOf(done, assigned), "number"],
                [
                  texts.ratingLink,
                  ({ rater, token }) =>
                    token === null ? null : (
                      <>
                        <CopyLink key={token} rater={rater} link={`${window.location.origin}/?token=${token}`} />
                        <ActionButton
                          className="quiet"
                          aria-label={texts.ratingRevokeLink(rater)}
                          act={() => revoke(rater)}
                        >
                          {texts.ratingRevoke}
                        </ActionButton>
                      </>
                    ),
                ],
              ]}
            />
            <p className="hint">{texts.ratingLinkHint}</p>
            <p role="status">
              {study.alpha === null
                ? texts.ratingNoAgreement
                : texts.ratingAgreement(figure(study.alpha), study.shared)}
            </p>
            <div className="actions">
              <ActionButton act={() => saveFile(pathOf(api.ratings[":id"]["ratings.csv"], { param }))}>
                {texts.ratingExport}
              </ActionButton>
              <ActionButton act={askWhom}>{texts.trustAsk}</ActionButton>
            </div>
            {found ? <Answer found={found} /> : null}
            <pre className="command-line">fabula trust ratings.csv --human rating --rater rater</pre>
            <h2>{texts.ratingDisputes}</h2>
            {study.disputes.length === 0 ? <p className="muted">{texts.ratingNoDisputes}</p> : null}
            {study.disputes.map((dispute) => (
              <Dispute key={dispute.item.id} study={study} dispute={dispute} onDecided={asked.reload} />
            ))}
          </>
        )}
      </Waiting>
    </View>
  );
}

function CopyLink({ rater, link }: { readonly rater: string; readonly link: string }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="quiet"
      aria-label={texts.ratingCopyLink(rater)}
      onClick={() => void navigator.clipboard?.writeText(link).then(() => setCopied(true))}
    >
      {isCopied ? texts.copied : texts.copyCommand}
    </button>
  );
}

interface DisputeProps {
  readonly study: RatingStudy;
  readonly dispute: RatingStudy["disputes"][number];
  readonly onDecided: () => void;
}

function Dispute({ study, dispute: { item, scores, decided }, onDecided }: DisputeProps) {
  const texts = useTexts();
  const deciding = useAction(async (score: number | null) => {
    const sent: DecisionSent = { item: item.id, score };
    await ask(api.ratings[":id"].decisions.$put, { param: { id: study.id }, json: sent });
    onDecided();
  });
  return (
    <article className="panel rating-item" aria-label={item.title ?? item.id}>
      <Item study={study.id} item={item} isOfPairs={study.isOfPairs} rater={null} />
      <p>{scores.map(({ rater, score }) => `${rater}: ${saidInWords(score, study.isOfPairs, texts)}`).join(" · ")}</p>
      <Choices
        legend={texts.ratingDecide}
        study={study}
        chosen={decided}
        onChoose={(score) => void deciding.run(score === decided || typeof score !== "number" ? null : score)}
      />
      <ProblemNotice problem={deciding.problem} />
    </article>
  );
}

type Words = ReturnType<typeof useTexts>;

function saidInWords(said: RatingSaid, isOfPairs: boolean, texts: Words): string {
  if (said === "cannot judge") return texts.ratingCannot;
  if (!isOfPairs) return String(said);
  return said === 1 ? texts.ratingFirst : said === 0 ? texts.ratingSecond : texts.ratingTie;
}

/** What a judge gave: of a pair which one it prefers, unless it scored something else. */
function scoreInWords(score: number, isOfPairs: boolean, texts: Words): string {
  return isOfPairs && [0, 0.5, 1].includes(score)
    ? saidInWords(score, true, texts)
    : String(Math.round(100 * score) / 100);
}

interface ItemProps {
  readonly study: string;
  readonly item: RatedItem;
  readonly isOfPairs: boolean;
  /** In whose order the texts of a pair stand; null: as they were given. */
  readonly rater: string | null;
}

function Item({ study, item: { title, id, question, text, second }, isOfPairs, rater }: ItemProps) {
  const texts = useTexts();
  const asked = useAnswer(
    api.ratings[":id"].text,
    text === null
      ? {
          param: { id: study },
          query: { item: id, rater },
        }
      : null,
  );
  const name = isOfPairs && rater !== null ? texts.ratingPair : (title ?? id);
  const shown = (own: ItemText) => (
    <>
      {isOfPairs ? <h4>{texts.ratingFirst}</h4> : null}
      <Passage name={isOfPairs ? texts.ratingFirst : name} parts={own.parts} />
      {own.second === null ? null : (
        <>
          <h4>{texts.ratingSecond}</h4>
          <Passage name={texts.ratingSecond} parts={own.second} />
        </>
      )}
    </>
  );
  return (
    <>
      <h3>{name}</h3>
      {question ? <p>{question}</p> : null}
      {text === null ? (
        <Waiting asked={asked}>{shown}</Waiting>
      ) : (
        shown({ parts: [{ title: null, text }], second: second === null ? null : [{ title: null, text: second }] })
      )}
    </>
  );
}

function Passage({ name, parts }: { readonly name: string; readonly parts: ItemText["parts"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="rating-summary" tabIndex={0} aria-label={name}>
      {parts.map(({ title, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chapters never change places.
        <div key={at}>
          {title === null || name.endsWith(title) ? null : <h5>{title}</h5>}
          <p>{text}</p>
        </div>
      ))}
    </section>
  );
}

const MOST_BUTTONS = 11;

interface ChoicesProps {
  readonly legend: string;
  readonly study: Pick<RatingSummary, "isOfPairs" | "scale">;
  readonly chosen: RatingSaid | null;
  readonly onChoose: (said: RatingSaid) => void;
  readonly withCannot?: true;
}

function Choices({ legend, study: { isOfPairs, scale }, chosen, onChoose, withCannot }: ChoicesProps) {
  const texts = useTexts();
  const steps = scale.maximum - scale.minimum + 1;
  const hasButtons = isOfPairs || (Number.isInteger(steps) && steps <= MOST_BUTTONS);
  const scores = isOfPairs
    ? [1, 0.5, 0]
    : Array.from({ length: hasButtons ? steps : 0 }, (_, at) => scale.minimum + at);
  const said: RatingSaid[] = [...scores, ...(withCannot ? (["cannot judge"] as const) : [])];
  return (
    <fieldset className="rating-scale">
      <legend>{legend}</legend>
      {hasButtons ? null : (
        <input
          type="number"
          aria-label={legend}
          min={scale.minimum}
          max={scale.maximum}
          step="any"
          defaultValue={typeof chosen === "number" ? chosen : ""}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
          }}
          onBlur={(event) => {
            if (event.target.value !== "" && event.target.validity.valid) onChoose(event.target.valueAsNumber);
          }}
        />
      )}
      {said.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={chosen === one}
          className={chosen === one ? "primary" : ""}
          onClick={() => onChoose(one)}
        >
          {saidInWords(one, isOfPairs, texts)}
        </button>
      ))}
    </fieldset>
  );
}

function Queue({ id, rater }: { readonly id: string; readonly rater: string }) {
  const texts = useTexts();
  const study = useAnswer(api.ratings[":id"], { param: { id } });
  const queue = useAnswer(api.ratings[":id"].queue, { param: { id }, query: { rater } });
  return (
    <View
      title={texts.ratingQueue(rater)}
      kicker={study.answer?.isRater === false ? <a href={to(["ratings", id])}>{texts.backToStudy}</a> : undefined}
    >
      <Waiting asked={study}>
        {(known) => <Waiting asked={queue}>{(found) => <Sheet study={known} rater={rater} queue={found} />}</Waiting>}
      </Waiting>
    </View>
  );
}

interface SheetProps {
  readonly study: RatingStudy;
  readonly rater: string;
  readonly queue: RatingQueue;
}

/** Digits are scores (0 is 10); of a pair 1, 2 and 0 are the first, the second and a tie; x is "cannot judge". */
function saidByKey(key: string, { isOfPairs, scale }: RatingStudy): RatingSaid | null {
  if (key === "x") return "cannot judge";
  if (!/^\d$/.test(key)) return null;
  if (isOfPairs) return { "1": 1, "2": 0, "0": 0.5 }[key] ?? null;
  const digit = Number(key);
  const score = digit === 0 && scale.minimum > 0 ? 10 : digit;
  return score >= scale.minimum && score <= scale.maximum ? score : null;
}

/** One item at a time; what judges gave is asked for with the rater's own answer, and shown after it. */
function Sheet({ study, rater, queue: { items, said: before, judges: known } }: SheetProps) {
  const texts = useTexts();
  const [said, setSaid] = useState(before);
  const [judges, setJudges] = useState(known);
  const [place, setPlace] = useState(() =>
    Math.max(
      0,
      items.findIndex(({ id }) => before[id] === undefined),
    ),
  );
  const item = items[place];
  const rating = useAction(async (given: RatingSaid) => {
    if (!item) return;
    const sent: RatingSent = { rater, item: item.id, said: given };
    const shown = await ask(api.ratings[":id"].ratings.$put, { param: { id: study.id }, json: sent });
    setSaid((all) => ({ ...all, [item.id]: given }));
    setJudges((all) => ({ ...all, [item.id]: shown }));
  });
  const { run } = rating;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const given = saidByKey(event.key, study);
      const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key] ?? 0;
      if (given !== null) void run(given);
      else if (step !== 0) setPlace((at) => Math.min(items.length - 1, Math.max(0, at + step)));
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [run, study, items.length]);
  if (!item) return <p>{texts.rateNothing}</p>;
  const own = said[item.id];
  const others = Object.entries(judges[item.id] ?? {});
  const done = items.filter(({ id }) => said[id] !== undefined).length;
  return (
    <>
      <p className="hint" role="status">
        {texts.ratingPlace(place + 1, items.length)} · {texts.rateProgress(done, items.length)}
        {done === items.length ? ` · ${texts.rateDone}` : ""}
      </p>
      <article className="panel rating-item" key={item.id}>
        <Item study={study.id} item={item} isOfPairs={study.isOfPairs} rater={rater} />
        <Choices
          legend={texts.yourRating}
          study={study}
          chosen={own ?? null}
          onChoose={(given) => void rating.run(given)}
          withCannot
        />
        {own !== undefined && others.length > 0 ? (
          <p className="rating-judges">
            {others.map(([judge, score]) => `${judge}: ${scoreInWords(score, study.isOfPairs, texts)}`).join(" · ")}
          </p>
        ) : null}
        <ProblemNotice problem={rating.problem} />
      </article>
      <p className="hint">{study.isOfPairs ? texts.ratingKeysPair : texts.ratingKeys}</p>
      <div className="actions">
        <button type="button" disabled={place === 0} onClick={() => setPlace(place - 1)}>
          {texts.ratingPrevious}
        </button>
        <button
          type="button"
          className="primary"
          disabled={place + 1 >= items.length}
          onClick={() => setPlace(place + 1)}
        >
          {texts.ratingNext}
        </button>
      </div>
    </>
  );
}

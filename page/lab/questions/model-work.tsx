import { type ReactNode, useState } from "react";
import type { StepPlan, StepWork } from "../../../src/api/questions.ts";
import { api, RequestProblem } from "../../api/client.ts";
import { useAnswer, useRepeated } from "../../api/use-answer.ts";
import { Coded } from "../../parts/coded.tsx";
import { Field } from "../../parts/field.tsx";
import { money } from "../../parts/formats.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { MaximumCost } from "../../parts/maximum-cost.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** The language models that can be asked now. */
export function useModels(): readonly string[] | null {
  const about = useAnswer(api.about);
  return (
    about.answer?.judges.filter(({ name, isReady }) => isReady && !isEmbedded(name)).map(({ name }) => name) ?? null
  );
}

type ModelRequest<Request extends object> = Request & {
  /** Empty where the work can be done without a model, and is. */
  readonly judge: string;
  readonly maximumCost: number | null;
};

interface ModelFormProps<Request extends object> {
  readonly label: string;
  readonly models: readonly string[];
  /** Whether the work can be done without a model. */
  readonly isOptional?: boolean;
  readonly plan: (sent: ModelRequest<Request>) => Promise<StepPlan>;
  readonly start: (sent: ModelRequest<Request>) => Promise<unknown>;
  /** What is sent, apart from the model and the limit. */
  readonly request: Request;
  readonly isBusy: boolean;
  readonly onStarted: () => void;
  readonly children?: ReactNode;
}

/** A model, a limit, what it would cost, and only then the start. */
export function ModelForm<Request extends object>(props: ModelFormProps<Request>) {
  const { label, models, isOptional = false, plan: askPlan, start, isBusy, onStarted, children } = props;
  const texts = useTexts();
  const [judge, setJudge] = useState(isOptional ? "" : (models[0] ?? ""));
  const [maximumCost, setMaximumCost] = useState<number | null>(null);
  const [plan, setPlan] = useState<{ readonly key: string; readonly plan: StepPlan } | null>(null);
  const request = { ...props.request, judge, maximumCost };
  const key = JSON.stringify(request);
  const isKnown = judge === "" || plan?.key === key;
  const planning = useAction(async (sent: ModelRequest<Request>, sentKey: string) =>
    setPlan({ key: sentKey, plan: await askPlan(sent) }),
  );
  const starting = useAction(async (sent: ModelRequest<Request>) => {
    await start(sent);
    setPlan(null);
    onStarted();
  });
  if (models.length === 0 && !isOptional)
    return (
      <p>
        <Coded text={texts.modelNone} /> <a href={to(["settings"])}>{texts.settings}</a>
      </p>
    );
  return (
    <form
      className="model-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isKnown) void starting.run(request);
        else void planning.run(request, key);
      }}
    >
      <div className="toolbar">
        {models.length > 0 ? (
          <Field label={texts.setModel}>
            {(attributes) => (
              <select {...attributes} value={judge} onChange={(event) => setJudge(event.target.value)}>
                {isOptional ? <option value="">{texts.setNoModel}</option> : null}
                {models.map((name) => (
                  <option key={name} value={name}>
                    {judgeName(name, texts)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ) : null}
        {children}
        {judge === "" ? null : <MaximumCost value={maximumCost} onChange={setMaximumCost} />}
      </div>
      <div className="actions">
        <button type="submit" className="primary" disabled={isBusy || planning.isBusy || starting.isBusy}>
          {isKnown ? texts.setStart : texts.setPlan}
        </button>
        <span role="status">
          {planning.isBusy
            ? texts.planning
            : plan !== null && judge !== "" && isKnown
              ? planInWords(plan.plan, texts)
              : ""}
        </span>
      </div>
      <ProblemNotice problem={planning.problem} />
      <ProblemNotice problem={starting.problem} />
    </form>
  );
}

type Words = ReturnType<typeof useTexts>;

function planInWords({ cost, mostCost, calls, known, obstacles }: StepPlan, texts: Words): string {
  return [
    cost === null ? texts.planCostUnknown : texts.planCost(money(cost)),
    texts.planCalls(calls),
    ...(known > 0 ? [texts.planKnown(known)] : []),
    ...(mostCost === null ? [] : [texts.planMost(money(mostCost))]),
    ...obstacles,
  ].join(" · ");
}

const LOOK_MILLISECONDS = 700;

/** How far work has got, looked at again and again while it lasts; or why it ended. */
export function WorkNotice({
  work,
  stop,
  reload,
}: {
  readonly work: StepWork | null;
  readonly stop: () => Promise<unknown>;
  readonly reload: () => void;
}) {
  const texts = useTexts();
  const isRunning = work?.isRunning === true;
  useRepeated({ answer: work, problem: null, reload }, LOOK_MILLISECONDS, isRunning);
  const stopping = useAction(async () => {
    await stop();
    reload();
  });
  if (work === null) return null;
  if (!isRunning) return work.problem ? <ProblemNotice problem={new RequestProblem(work.problem)} /> : null;
  const words = texts.setWorking(work.stage, work.done, work.total ?? "…");
  return (
    <div className="actions" role="status">
      <progress aria-label={words} {...(work.total === null ? {} : { value: work.done, max: work.total })} />
      <span>{words}</span>
      <button type="button" onClick={() => void stopping.run()} disabled={stopping.isBusy}>
        {texts.setStop}
      </button>
    </div>
  );
}

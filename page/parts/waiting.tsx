import type { ReactNode } from "react";
import { RequestProblem } from "../api/client.ts";
import type { AnswerState } from "../api/use-answer.ts";
import { useTexts } from "../texts/preferences.tsx";
import { Coded } from "./coded.tsx";
import { ServerSentence } from "./server-sentence.tsx";

/** Shows an answer once it is there; until then that it is coming, or why it is not. */
export function Waiting<Answer>({
  asked,
  children,
}: {
  readonly asked: AnswerState<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}) {
  const texts = useTexts();
  if (asked.problem) return <ProblemNotice problem={asked.problem} again={asked.reload} />;
  if (asked.answer === null) return <p className="loading">{texts.loading}</p>;
  return children(asked.answer);
}

/** What went wrong, in one sentence; nothing where nothing did. */
export function ProblemNotice({ problem, again }: { readonly problem: Error | null; readonly again?: () => void }) {
  const texts = useTexts();
  if (problem === null) return null;
  return (
    <div className="notice problem" role="alert">
      {problem instanceof RequestProblem && problem.code === "unreachable" ? (
        <p>
          <Coded text={texts.unreachable} />
        </p>
      ) : (
        <ServerSentence code={problem instanceof RequestProblem ? problem.code : null} message={problem.message} />
      )}
      {again ? (
        <button type="button" onClick={again}>
          {texts.tryAgain}
        </button>
      ) : null}
    </div>
  );
}

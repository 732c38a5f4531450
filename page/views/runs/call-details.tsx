import type { RunCallDetails } from "../../../src/api/runs.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { secondsOf } from "./run-states.ts";

/** One call whole: the prompt as sent beside the reply as received. */
export function CallDetails({ run, position }: { readonly run: string; readonly position: number }) {
  const texts = useTexts();
  const asked = useAnswer<RunCallDetails>(`/api/runs/${encodeURIComponent(run)}/calls/${position}`);
  return (
    <Waiting asked={asked}>
      {(call) => (
        <div className="call-details">
          <Facts
            facts={[
              [texts.latency, secondsOf(call.latencyMilliseconds, texts)],
              [texts.tokens, `${call.inputTokens ?? "–"} / ${call.outputTokens ?? "–"}`],
              [texts.attempts, call.attempts ?? "–"],
              [texts.servedBy, call.servedBy ?? "–"],
              [texts.temperature, call.request?.temperature ?? "–"],
            ]}
          />
          <div className="prompt-and-reply">
            <div>
              <h3>{texts.promptSent}</h3>
              {call.request === null ? <p className="muted">{texts.promptNotKept}</p> : null}
              {call.request?.messages.map(({ role, content }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be alike, and the list never changes.
                <Verbatim key={place} name={role} text={content} />
              ))}
              {call.request?.schema ? (
                <details>
                  <summary>{texts.replySchema}</summary>
                  <Verbatim name={texts.replySchema} text={call.request.schema} />
                </details>
              ) : null}
            </div>
            <div>
              <h3>{texts.replyReceived}</h3>
              <Verbatim name={texts.reply} text={call.reply ?? call.reason ?? "–"} />
              {call.reasoning ? (
                <>
                  <h3>{texts.reasoningReceived}</h3>
                  <Verbatim name={texts.reasoningReceived} text={call.reasoning} />
                </>
              ) : null}
            </div>
          </div>
        </div>
      )}
    </Waiting>
  );
}

/** Somebody else's words, to the letter; long ones scroll by themselves. */
function Verbatim({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="verbatim" aria-label={name} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

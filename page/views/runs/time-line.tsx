import type { RunCallRow } from "../../../src/api/runs.ts";
import { markOf } from "../../parts/judges/judge-mark.ts";
import { useKnownJudges } from "../../parts/judges/known-judges.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { secondsOf } from "./run-states.ts";

const HEIGHT = 8;
const MOST = 120;

/** When each call began and how long the model took. A bar opens its call; the table below says the same in words. */
export function TimeLine({
  calls,
  onOpen,
}: {
  readonly calls: readonly RunCallRow[];
  readonly onOpen: (position: number) => void;
}) {
  const texts = useTexts();
  const judges = useKnownJudges(calls[0]?.model ?? "") ?? [];
  const bars = calls.slice(0, MOST).flatMap((call) => {
    const end = Date.parse(call.at);
    if (Number.isNaN(end) || call.latencyMilliseconds === null || call.outcome !== "asked") return [];
    return [{ call, start: end - call.latencyMilliseconds, end }];
  });
  if (bars.length < 2) return null;
  const first = Math.min(...bars.map(({ start }) => start));
  const whole = Math.max(1, Math.max(...bars.map(({ end }) => end)) - first);
  const place = (moment: number) => `${(100 * (moment - first)) / whole}%`;
  return (
    <figure className="time-line">
      <figcaption>
        {texts.timeLine}. {texts.timeLineNote((whole / 1000).toFixed(1))}
      </figcaption>
      <svg width="100%" height={bars.length * HEIGHT} aria-hidden="true">
        {bars.map(({ call, start, end }, row) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has a button for every call.
          <rect
            key={call.position}
            x={place(start)}
            y={row * HEIGHT + 1}
            width={`${Math.max(0.3, (100 * (end - start)) / whole)}%`}
            height={HEIGHT - 3}
            rx="2"
            style={{ fill: `var(--judge-${markOf(call.model, judges).colour})` }}
            onClick={() => onOpen(call.position)}
          >
            <title>{`${call.model} · ${call.purpose} · ${secondsOf(call.latencyMilliseconds, texts)}`}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}

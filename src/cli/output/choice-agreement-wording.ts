import type { Accuracy, ComparisonAgreement } from "../../workflows/readers/comparison-agreement.ts";
import { textTable } from "./table.ts";

/** How often a judge's choices were the readers' own, aspect by aspect. */
export function agreementInWords({ pairs, aspects, embedded, firstBias, knownBias }: ComparisonAgreement): string {
  const rows = aspects.map(({ aspect, judge, lastChoice, consistent }) => [
    aspect,
    inWords(judge),
    inWords(lastChoice),
    consistent.of > 0 ? `${consistent.same}/${consistent.of}` : "–",
  ]);
  const lines = [
    `${pairs} pairs. Accuracy where the reader's preference is known, with its 95% interval; a tie counts half.`,
    textTable(["aspect", "judge", "same answer as last time", "same in both orders"], rows),
    `The embedded predictor, overall: ${inWords(embedded)}`,
  ];
  if (firstBias.bias !== null)
    lines.push(`Pull towards whatever is shown first: ${signed(firstBias.bias)} over ${firstBias.decisions} decisions`);
  if (knownBias)
    lines.push(
      `Pull towards a story the judge knows: ${signed(knownBias.bias)} over ${knownBias.pairs} pairs with one known story`,
    );
  return lines.join("\n");
}

function inWords({ value, interval, of }: Accuracy): string {
  if (value === null || interval === null) return "–";
  return `${value.toFixed(3)} (${interval[0].toFixed(2)}–${interval[1].toFixed(2)}, ${of})`;
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}

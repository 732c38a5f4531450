// Can a judge be trusted? Agreement with people, answers against references, and damage it should notice.
import { agreement, scoreAnswers, stressJudge } from "fabula";

const ratings = Array.from({ length: 30 }, (_, text) => ({ human: text % 7, judge: (text % 7) + (text % 3) }));
const { kendall, n } = await agreement(ratings, { human: "human", metric: "judge" });
console.log(
  `Kendall τ ${kendall.value.toFixed(2)} over ${n} texts, 95% interval ${kendall.interval.map((end) => end.toFixed(2))}`,
);

const { metrics } = await scoreAnswers([
  { prediction: "in the old mill", answers: ["the mill", "at the old mill"] },
  { prediction: "her brother", answers: ["her brother Tomas"] },
]);
console.log("F1", metrics.f1.toFixed(2), "METEOR", metrics.meteor.toFixed(2));

const { summary } = await stressJudge(["node_modules/fabula/assets/examples/the-inspector-of-weights.md"], {
  judge: "editor",
});
for (const { name, meanMove } of summary) console.log(name, meanMove === null ? "not tried" : meanMove.toFixed(2));

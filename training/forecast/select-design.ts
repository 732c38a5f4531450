import { DESIGNS, designComponents, type ForecastDesign } from "../../src/forecast/forecast-design.ts";
import { FIELDS } from "../../src/forecast/forecast-input.ts";
import { kendallTau, leaveOneOut } from "../../src/stats/index.ts";
import { type BlockReader, spread, type Target } from "./learn.ts";

/** A design with Kendall's τ between the true ratings and what all other books forecast for each. */
export interface DesignScore {
  readonly design: ForecastDesign;
  readonly kendall: number;
}

export interface DesignChoice {
  readonly design: ForecastDesign;
  readonly scores: readonly DesignScore[];
}

/** The design that orders books best when each is forecast from all the others, among the given books alone. */
export function selectDesign(blockOf: BlockReader, target: Target): DesignChoice {
  const width = spread(target);
  const scores = DESIGNS.map((design) => {
    const kernels = FIELDS.map((field) => blockOf(design, field).kernel);
    const said = leaveOneOut(kernels, target.values, designComponents(design, width), target.variance);
    return { design, kendall: kendallTau(said, target.values).value ?? -1 };
  });
  const best = scores.reduce((left, right) => (right.kendall > left.kendall ? right : left));
  return { design: best.design, scores };
}

import { GRADING_PROTOCOLS } from "../../qa/judging/grading-setting.ts";
import type { Flag } from "./flag.ts";

export const PROTOCOL_FLAG = {
  type: "string",
  default: "json",
  choices: GRADING_PROTOCOLS,
  value: "NAME",
  help: "how the judge is asked: json for any model, prometheus for graders trained like Prometheus 2 (Feedback: … [RESULT] 4)",
} as const satisfies Flag;

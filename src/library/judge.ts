import type { OneJudge } from "../tasks/define/judge-fields.ts";

/** The name of a judge (`jury`, `crowd`, `editor`, `grader`, `openai:MODEL`, `MODEL@http://host/v1`…) or a model of your own. */
export type { OneJudge } from "../tasks/define/judge-fields.ts";

/** One judge, or several language models that judge together as a panel. */
export type Judge = OneJudge | readonly OneJudge[];

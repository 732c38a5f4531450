import type { AgreementStudy } from "../../stats/meta-evaluation/agreement-study.ts";

/** A study with the names of what was studied: what every form of the report is made from. */
export interface AgreementReport {
  readonly table: string;
  readonly human: string;
  readonly system: string | null;
  readonly item: string | null;
  readonly group: string | null;
  readonly study: AgreementStudy;
}

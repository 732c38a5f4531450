import { stat } from "node:fs/promises";
import { join } from "node:path";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import {
  type AuditedSample,
  type AuditReport,
  auditedSamples,
  auditReport,
  auditSheets,
  type Decisions,
  DOCUMENT_KINDS,
  type DocumentKind,
  documentAudit,
  type KindAgreement,
  type SheetRow,
} from "../../qa/audit.ts";
import { documentSchema, type QaDocument } from "../../qa/dataset/document.ts";
import { type DocumentRemoval, removalSchema } from "../../qa/filtering/filter-document.ts";
import { droppedSchema } from "../../qa/refinement.ts";

const FILES = { originals: "originals.csv", corrections: "corrections.csv", documents: "documents.csv" } as const;
const COLUMNS = ["id", "title", "summary", "question", "what", "text", "decision"] as const;

export interface AuditData {
  /** The refined books. */
  readonly input: string;
  /** The samples that refinement dropped. */
  readonly dropped?: string;
  /** What `qa filter --review` wrote: the documents that were removed, and why. */
  readonly removed?: string;
}

export interface PrepareAuditRequest extends AuditData {
  readonly folder: string;
  readonly changed: number;
  readonly unchanged: number;
  readonly seed: number;
}

/** Writes the sheets that reviewers fill in. Nothing in them shows what was changed or removed. */
export async function prepareAudit(request: PrepareAuditRequest): Promise<{ readonly [file: string]: number }> {
  const random = seededRandom(request.seed);
  const { samples, documents, removed } = await readData(request);
  const { originals, corrections } = auditSheets(samples, { ...request, random });
  if (corrections.length === 0) {
    throw new FabulaError(
      "E_AUDIT_EMPTY",
      `"${request.input}" records no change, so there is no refinement to check: give what \`qa refine --out\` wrote.`,
    );
  }
  const rows = shuffled(documentRows(documents, removed), random);
  await makeFolder(request.folder);
  await writeSheet(join(request.folder, FILES.originals), originals);
  await writeSheet(join(request.folder, FILES.corrections), corrections);
  if (removed.length > 0) await writeSheet(join(request.folder, FILES.documents), rows);
  return {
    [FILES.originals]: originals.length,
    [FILES.corrections]: corrections.length,
    ...(removed.length > 0 && { [FILES.documents]: rows.length }),
  };
}

export interface AuditOutcome extends AuditReport {
  readonly documents: readonly KindAgreement[];
}

/**
 * Computes the paper's Tables 1, 2 and 11, with precision and recall, from filled-in sheets, one folder per reviewer.
 */
export async function auditRefinement(data: AuditData, folders: readonly string[]): Promise<AuditOutcome> {
  const { samples, documents, removed } = await readData(data);
  const decisions = await Promise.all(folders.map(readDecisions));
  if (decisions.every(({ size }) => size === 0)) {
    throw new FabulaError("E_AUDIT_EMPTY", 'No line is decided yet: fill in "yes" or "no" in the column "decision".');
  }
  const kinds = await Promise.all(folders.map(readKinds));
  const reasonOf = new Map(removed.map(({ document_id, reason }) => [document_id, kindOf(reason)]));
  return {
    ...auditReport(samples, decisions),
    documents: documentAudit(
      documentRows(documents, removed).map(({ id }) => ({
        id,
        pipeline: reasonOf.get(id) ?? "narrative",
        reviewers: kinds.map((own) => own.get(id)),
      })),
    ),
  };
}

async function readData({ input, dropped, removed }: AuditData): Promise<{
  samples: AuditedSample[];
  documents: QaDocument[];
  removed: DocumentRemoval[];
}> {
  const documents = await readJsonLines(input, documentSchema);
  const left = dropped === undefined ? [] : await readJsonLines(dropped, droppedSchema);
  return {
    samples: auditedSamples(documents, left),
    documents,
    removed: removed === undefined ? [] : await readJsonLines(removed, removalSchema),
  };
}

function documentRows(documents: readonly QaDocument[], removed: readonly DocumentRemoval[]): SheetRow[] {
  const row = (id: string, title: string, summary: string): SheetRow => ({
    id,
    title,
    summary,
    question: "",
    what: `one of: ${DOCUMENT_KINDS.join(", ")}`,
    text: "",
    decision: "",
  });
  // Summaries are shown only if every removed document has one; a missing summary would show that the document was
  // removed.
  const areShown = removed.every(({ summary }) => summary !== undefined);
  return [...documents, ...removed].map(({ document_id, title, summary }) =>
    row(document_id, title, areShown ? (summary ?? "") : ""),
  );
}

async function writeSheet(path: string, rows: readonly SheetRow[]): Promise<void> {
  const lines = rows.map((row) => csvLine(COLUMNS.map((column) => row[column])));
  await writeWholeFile(path, `${[csvLine(COLUMNS), ...lines].join("\n")}\n`);
}

async function readDecisions(folder: string): Promise<Decisions> {
  const decisions = new Map<string, boolean>();
  for (const file of [FILES.originals, FILES.corrections]) {
    for (const { id, decision, place } of await sheetRows(folder, file)) {
      const isYes = /^(?:y|yes|accept|acceptable|right|1|true)$/i.test(decision);
      const isNo = /^(?:n|no|reject|unacceptable|wrong|0|false)$/i.test(decision);
      if (!isYes && !isNo) throw unreadable(place, decision, "yes or no");
      decisions.set(id, isYes);
    }
  }
  return decisions;
}

async function readKinds(folder: string): Promise<ReadonlyMap<string, DocumentKind>> {
  const kinds = new Map<string, DocumentKind>();
  for (const { id, decision, place } of await sheetRows(folder, FILES.documents)) {
    const kind = DOCUMENT_KINDS.find((name) => name.startsWith(decision.toLowerCase()));
    if (kind === undefined) throw unreadable(place, decision, DOCUMENT_KINDS.join(", "));
    kinds.set(id, kind);
  }
  return kinds;
}

/** The lines that are decided; none if the reviewer has no such file. */
async function sheetRows(folder: string, file: string) {
  const path = join(folder, file);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const { rows } = await readTable(path);
  return rows.flatMap((row, index) => {
    const decision = String(row.decision ?? "").trim();
    return decision === "" ? [] : [{ id: String(row.id), decision, place: `Line ${index + 2} of "${path}"` }];
  });
}

function unreadable(place: string, decision: string, expected: string): FabulaError {
  return new FabulaError(
    "E_AUDIT_DECISION",
    `${place} has the decision "${decision}": write ${expected}, or leave it empty.`,
  );
}

/** Translates the filter's reasons, including a model's, to the names that reviewers use. */
function kindOf(reason: string): DocumentKind {
  return (
    DOCUMENT_KINDS.find(
      (kind) => reason.includes(kind) || (kind === "mismatched summary" && /mismatch|summary/.test(reason)),
    ) ?? "non-fiction"
  );
}

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type {
  BlindPair,
  BlindRemark,
  BlindSide,
  DisagreementRow,
  Vote,
  VoteAnswer,
  VoteQueue,
  VoteRequest,
  VoterAgreement,
} from "../../api/votes.ts";
import { FabulaError } from "../../core/errors.ts";
import type { AspectResult, BookEvaluation } from "../../judge/evaluation.ts";
import { type DisputedPair, orderedSides, type PairSide } from "../../tasks/trust/votes/disagreements.ts";
import { agreementWithVotes, voteChoiceSchema, votesAsCsv } from "../../tasks/trust/votes/vote.ts";
import { personOf } from "../http/token.ts";
import { json, pageOf, pageQuery, query, respond } from "../http/typed-route.ts";
import { attachment } from "../http/upload.ts";
import { newId, notFound } from "../ids.ts";
import { bookTitle, type Services } from "../services.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";

const MOST_REMARKS = 4;
const MOST_QUOTES = 2;

/** A pair as a voter sees it: what was said, without who said it. */
async function blindPair(
  pair: DisputedPair,
  { voter, seed, title }: { readonly voter: string; readonly seed: number; readonly title: string },
  evaluationOf: (id: string) => Promise<BookEvaluation>,
): Promise<BlindPair> {
  const { id, bookId, aspect, aspectName, difference, passage } = pair;
  const [first, second] = orderedSides(pair, voter, seed);
  const shown = async (side: PairSide) => blindSide(side, await evaluationOf(side.scorer.evaluationId), aspect);
  const sides = [await shown(first), await shown(second)] as const;
  return { id, bookId, title, aspect, aspectName, difference, passage, sides };
}

function blindSide(
  { scorer, score: { score, interval } }: PairSide,
  evaluation: BookEvaluation,
  aspect: string,
): BlindSide {
  const said = scorer.hasRemarks ? evaluation.aspects.find(({ id }) => id === aspect) : undefined;
  if (!said) return { score, interval, strengths: [], weaknesses: [] };
  const { strengths, weaknesses } = said;
  return { score, interval, strengths: remarksOf(strengths, said), weaknesses: remarksOf(weaknesses, said) };
}

function remarksOf(remarks: AspectResult["strengths"], { evidence }: AspectResult): BlindRemark[] {
  return remarks.slice(0, MOST_REMARKS).map(({ text, evidence: positions }) => ({
    text,
    quotes: positions.slice(0, MOST_QUOTES).flatMap((position) => {
      const found = evidence[position];
      return found ? [{ chapter: found.chapter, quote: found.quote, found: found.found }] : [];
    }),
  }));
}

const voter = z.string().trim().min(1).max(80);
const seed = z.coerce.number().int().min(0).max(1_000_000).default(1);
const place = { book: z.string().max(64).default(""), aspect: z.string().max(64).default("") };
const rowsQuery = pageQuery.extend(place);
const queueQuery = z.object({ voter, seed, ...place, limit: z.coerce.number().int().min(1).max(50).default(10) });
const voterQuery = z.object({ voter: voter.optional() });
const exportQuery = z.object({ format: z.enum(["csv", "jsonl"]) });
const voteBody = z.strictObject({
  voter,
  seed: z.number().int().min(0).max(1_000_000),
  pair: z.string().max(64),
  choice: voteChoiceSchema,
  score: z.number().min(0).max(100).nullable(),
}) satisfies z.ZodType<VoteRequest>;

interface Place {
  readonly bookId: string;
  readonly aspect: string;
}

/** Where judges differ, and blind votes on it. */
export function disagreementRoutes({ books, evaluations }: Services, { index }: EvidenceBench) {
  return new Hono()
    .get("/", query(rowsQuery), async (context) => {
      const { book, aspect, ...page } = context.req.valid("query");
      const { aspects } = await index.current();
      const rows = aspects
        .filter((row) => isAt(row, book, aspect))
        .map(
          ({ sides, ...row }): DisagreementRow => ({
            ...row,
            title: titleOf(books, evaluations, sides[0]!),
            scores: sides.map(({ score }) => score.score),
          }),
        );
      return respond(context, pageOf(rows, page));
    })
    .get("/judges", async (context) => respond(context, (await index.current()).standings));
}

export function voteRoutes({ clock, books, evaluations }: Services, { index, votes: shelf }: EvidenceBench) {
  const agreementOf = async (name: string | undefined): Promise<VoterAgreement> => {
    const votes = await shelf.list(name);
    const judged = new Set(votes.map(({ bookId }) => bookId));
    return { votes: votes.length, books: judged.size, judges: agreementWithVotes(votes), file: shelf.path };
  };
  /** An invited person votes under the name that the owner gave, whatever name is sent. */
  const voterOf = (context: Context, given: string): string => personOf(context)?.name ?? given;
  return new Hono()
    .get("/", query(voterQuery), async (context) => {
      const { voter: given } = context.req.valid("query");
      return respond(context, await agreementOf(given && voterOf(context, given)));
    })
    .get("/queue", query(queueQuery), async (context) => {
      const { book, aspect, limit, voter: given, seed } = context.req.valid("query");
      const asked = { voter: voterOf(context, given), seed };
      const voted = new Set((await shelf.list(asked.voter)).map(({ pair }) => pair));
      const open = (await index.current()).pairs.filter((pair) => !voted.has(pair.id) && isAt(pair, book, aspect));
      const shown = open.slice(0, limit).map((pair) => {
        const title = titleOf(books, evaluations, pair.sides[0]);
        return blindPair(pair, { ...asked, title }, (id) => evaluations.evaluation(id));
      });
      const answer: VoteQueue = { pairs: await Promise.all(shown), left: open.length };
      return respond(context, answer);
    })
    .post("/", bodyLimit({ maxSize: 10_000 }), json(voteBody), async (context) => {
      const sent = checkedVote(context.req.valid("json"));
      const request = { ...sent, voter: voterOf(context, sent.voter) };
      const pair = (await index.current()).pairs.find(({ id }) => id === request.pair);
      if (!pair) throw notFound("pair of verdicts");
      const now = clock.now();
      const vote: Vote = {
        id: newId(now),
        at: now.toISOString(),
        ...votedPair(pair, request),
        title: titleOf(books, evaluations, pair.sides[0]),
      };
      await shelf.add(vote);
      const answer: VoteAnswer = { vote, agreement: await agreementOf(request.voter) };
      return respond(context, answer, 201);
    })
    .delete("/:id", async (context) => {
      const vote = await shelf.retract(context.req.param("id"), personOf(context)?.name);
      return respond(context, await agreementOf(vote.voter));
    })
    .get("/export", query(exportQuery), async (context) => {
      const { format } = context.req.valid("query");
      const votes = await shelf.list();
      const body = format === "csv" ? votesAsCsv(votes) : votes.map((vote) => `${JSON.stringify(vote)}\n`).join("");
      return context.body(body, 200, {
        "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/jsonl; charset=utf-8",
        "content-disposition": attachment("votes", format),
      });
    });
}

function isAt(row: Place, book: string, aspect: string): boolean {
  return (book === "" || row.bookId === book) && (aspect === "" || row.aspect === aspect);
}

/** The book's current title; for a removed book, the title in its evaluation. */
function titleOf(books: Services["books"], evaluations: Services["evaluations"], { scorer }: PairSide): string {
  try {
    return bookTitle(books, scorer.bookId);
  } catch {
    return evaluations.summary(scorer.evaluationId).title;
  }
}

function votedPair(pair: DisputedPair, { voter, seed, choice, score }: VoteRequest) {
  const { bookId, aspect, aspectName } = pair;
  const [first, second] = orderedSides(pair, voter, seed).map(({ scorer, score }) => {
    const { way, judge, name, evaluationId } = scorer;
    return { way, judge, name, evaluationId, score: score.score };
  });
  return { voter, seed, pair: pair.id, bookId, aspect, aspectName, choice, score, sides: [first!, second!] as const };
}

function checkedVote(request: VoteRequest): VoteRequest {
  if ((request.choice === "score") === (request.score !== null)) return request;
  throw new FabulaError("E_REQUEST", "A vote is A, B, a tie, or a score of your own from 0 to 100: give one of them.");
}

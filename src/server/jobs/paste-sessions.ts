import type { PasteQuestion, PasteState } from "../../api/letters.ts";
import { FabulaError } from "../../core/errors.ts";
import { type OpenQuestion, QuestionsByHand } from "../../models/answered-by-hand.ts";
import { PASTE } from "../../models/judge-name.ts";
import { countWords } from "../../text/words.ts";
import type { Services } from "../services.ts";
import { judgeBook } from "./judge-book.ts";
import { runSettingsFor } from "./run-settings.ts";

interface Session {
  readonly questions: QuestionsByHand;
  readonly result: Promise<string>;
  /** Material that the chat has been given: it is not repeated. */
  readonly handedOut: Set<string>;
  answered: number;
  readonly count: { left: number };
  evaluationId: string | null;
  error: unknown;
}

/**
 * Close readings whose questions a writer copies into a chat window and whose replies are pasted back, one for each book. Answers
 * are stored as they come, so that a session that ended with the server continues at its next question.
 */
export class PasteSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #abort = new AbortController();

  /** The session of a book with the question that waits, begun or continued; one that failed begins again. */
  async state(bookId: string, services: PasteServices): Promise<PasteState> {
    const session = this.#of(bookId, services);
    await session.questions.untilAsked(session.result);
    const [question] = session.questions.open;
    if (question) return { question: shown(question, session.handedOut), ...progress(session) };
    await session.result;
    return { question: null, ...progress(session) };
  }

  /** Takes a reply to a question, or says what is wrong with it. */
  async answer(bookId: string, question: string, reply: string, services: PasteServices): Promise<PasteState> {
    const session = this.#of(bookId, services);
    await session.questions.untilAsked(session.result);
    const asked = session.questions.open.find(({ id }) => id === question);
    const handled = session.questions.answer(question, reply, PASTE);
    switch (handled.kind) {
      case "unknown":
        throw new FabulaError("E_CONFLICT", handled.reason);
      case "rejected":
        return { ...(await this.state(bookId, services)), problems: handled.problems };
      case "accepted":
        session.answered += 1;
        if (asked?.parts) session.handedOut.add(asked.parts.sharedId);
        return this.state(bookId, services);
      default:
        return handled satisfies never;
    }
  }

  close(): void {
    this.#abort.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  }

  #of(bookId: string, { books, evaluations, settings }: PasteServices): Session {
    const known = this.#sessions.get(bookId);
    if (known && known.error === null && known.evaluationId === null) return known;
    const questions = new QuestionsByHand(PASTE);
    const folder = books.folderOf(bookId);
    const request = { bookId, judges: [PASTE], method: "close", aspects: [], runs: 1, maximumCost: null };
    const own = runSettingsFor(request, null, { settings, folder, card: books.card(bookId) });
    const count = { left: 1 };
    const session: Session = {
      questions,
      handedOut: new Set(),
      answered: 0,
      count,
      evaluationId: null,
      error: null,
      result: judgeBook(
        { folder, request, settings: own },
        {
          emit: (event) => {
            if (event.kind === "progress") count.left = Math.max(1, event.total - event.done);
          },
          signal: this.#abort.signal,
          byHand: () => questions.model,
        },
      ).then(async ({ evaluation }) => {
        const { file } = books.card(bookId);
        return (await evaluations.add(bookId, { ...evaluation, book: { ...evaluation.book, file } })).id;
      }),
    };
    session.result.then(
      (id) => {
        session.evaluationId = id;
      },
      (error: unknown) => {
        session.error = error;
      },
    );
    this.#sessions.set(bookId, session);
    return session;
  }
}

type PasteServices = Pick<Services, "books" | "evaluations" | "settings">;

function progress({ answered, count, evaluationId }: Session): Omit<PasteState, "question"> {
  return { answered, left: evaluationId === null ? count.left : 0, problems: [], evaluationId };
}

/** In one chat the book is already there: later questions refer to it instead of repeating it. */
function shown({ id, prompt, parts }: OpenQuestion, handedOut: ReadonlySet<string>): PasteQuestion {
  const isKnown = parts !== null && handedOut.has(parts.sharedId);
  const short = isKnown ? `About the same text as before.\n\n${parts.own}` : prompt;
  return { id, prompt: short, full: prompt, words: countWords(short) };
}

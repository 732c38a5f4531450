import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { countOf } from "../core/wording.ts";
import { questionFor, replyProblems, withoutSpaces } from "../models/answered-by-hand.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { tokenUsage } from "../models/transport.ts";
import { countWords } from "../text/words.ts";
import type { Terminal } from "./terminal.ts";

/** The folder for questions and replies, in the current folder. */
export const QUESTIONS_FOLDER = "fabula-questions";

/** How long to wait for another program's output before standard input counts as empty. */
const STDIN_MILLISECONDS = 2000;
const END_OF_REPLY = ".";

export interface PasteOptions {
  readonly id: string;
  readonly folder: string;
  readonly stdin: Keyboard;
  readonly terminal: Pick<Terminal, "note"> & {
    /** Shows what is typed, since a terminal does not do so while it is read key by key. */
    readonly echo?: (text: string) => void;
  };
  /** How many questions were planned, and how many are answered; null if unknown. */
  readonly count?: () => QuestionCount | null;
  /** Called when Ctrl-C is pressed: while keys are read one by one, the terminal does not send the signal itself. */
  readonly interrupt?: () => void;
}

export interface QuestionCount {
  readonly calls: number;
  readonly cached: number;
}

type Keyboard = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

interface Files {
  readonly question: string;
  readonly reply: string;
  /** A reply that was refused because it repeats another question's; giving it again confirms it. */
  readonly refused: string;
  /**
   * The same question with the book, for a chat that has not seen it; null if the question contains the book itself.
   */
  readonly whole: string | null;
}

/**
 * A judge in a chat window, with a person in between. Each question is a file to copy; each reply is pasted into the
 * terminal, piped in, or saved as a file beside its question. Without a terminal the run ends at the first question
 * without a reply, and the same command continues it.
 */
export function pasteModel({ id, folder, stdin, terminal, count, interrupt }: PasteOptions): ChatModel {
  let piped: Promise<string> | null = null;
  let asked = 0;
  const typed = new TypedReplies(stdin, terminal.echo ?? (() => {}), interrupt ?? (() => {}));
  const handedOut = new Set<string>();

  async function filesFor(question: ReturnType<typeof questionFor>): Promise<Files> {
    const names = await readdir(folder);
    const known = names.find((name) => name.startsWith("question-") && name.endsWith(`-${question.id}.txt`));
    const asked = names.filter((name) => /^question-\d+-\w+\.txt$/.test(name)).length;
    const number = known?.split("-")[1] ?? String(asked + 1).padStart(2, "0");
    const path = (kind: string) => join(folder, `${kind}-${number}-${question.id}.txt`);
    const { parts, prompt } = question;
    // The chat already contains the book, so later questions name it instead of repeating it.
    const isKnown = parts !== null && (handedOut.has(parts.sharedId) || Number(number) > 1);
    if (parts !== null) handedOut.add(parts.sharedId);
    if (known === undefined) {
      const short = isKnown ? `About the same text as before.\n\n${parts.own}` : prompt;
      await writeFile(path("question"), `${short}\n`);
      if (isKnown) await writeFile(path("whole-question"), `${prompt}\n`);
    }
    const whole = path("whole-question");
    return {
      question: path("question"),
      reply: path("reply"),
      refused: path("refused"),
      whole: names.includes(basename(whole)) || isKnown ? whole : null,
    };
  }

  /** The checked reply; null if it cannot be used, after printing why and what to do. */
  async function usable(request: ChatRequest, text: string, files: Files): Promise<string | null> {
    const { shape, quotations } = replyProblems(request, text);
    const other = await sameReply(folder, text, files.reply);
    const isMeant = withoutSpaces((await textOf(files.refused)) ?? "") === withoutSpaces(text);
    if (other !== null && !isMeant) {
      // A saved reply is moved, not deleted, and the question is open again.
      await writeFile(files.refused, text);
      await rm(files.reply, { force: true });
      const orMeant = shape.length > 0 ? "" : ", or give the same reply once more if it answers both";
      terminal.note(
        `This reply cannot be used: it is the same as ${other}, the reply to another question. Nothing is lost: copy ${files.question} into your chat and give its reply here${orMeant}.`,
      );
      return null;
    }
    if (shape.length > 0) {
      terminal.note(
        `This reply cannot be used: ${shape.join("; ")}. Ask the chat to correct it, and give the whole reply again.`,
      );
      return null;
    }
    if (quotations.length > 0) {
      const count = countOf(quotations.length, "quotation");
      terminal.note(
        `${count} not found in the book; what rests on ${quotations.length === 1 ? "it" : "them"} is left out: ${quotations[0]}.`,
      );
    }
    return text;
  }

  async function fromTerminal(request: ChatRequest, files: Files, label: string, signal: AbortSignal): Promise<string> {
    const words = countWords(await readFile(files.question, "utf8"));
    terminal.note(
      `\n${label}: ${files.question} (${words.toLocaleString("en-GB")} words). Copy all of it into ${chatFor(files)}. Paste the reply here and end it with a line that holds one full stop; or save it as ${files.reply} and press Enter.`,
    );
    for (;;) {
      const pasted = await typed.next(signal);
      const text = pasted.trim() === "" ? await textOf(files.reply) : pasted;
      if (text === null) terminal.note(`Nothing was pasted, and ${files.reply} is not there yet.`);
      else {
        const used = await usable(request, text, files);
        if (used !== null) return used;
      }
    }
  }

  async function fromFiles(request: ChatRequest, files: Files, label: string): Promise<string> {
    const saved = await textOf(files.reply);
    const first = piped === null;
    piped ??= readPiped(stdin);
    const text = saved ?? (first ? (await piped).trim() || null : null);
    const used = text === null ? null : await usable(request, text, files);
    if (used !== null) return used;
    const correction = text === null ? "" : "The reply could not be used. ";
    throw new ModelError(
      "not-running",
      id,
      `${correction}${label} waits in ${files.question}: copy all of it into ${chatFor(files)}, save the reply as ${files.reply}, and run the same command again. Every answer so far is kept.`,
    );
  }

  async function complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const started = performance.now();
    await mkdir(folder, { recursive: true });
    const question = questionFor(request);
    const files = await filesFor(question);
    asked += 1;
    const planned = count?.() ?? null;
    const place = planned ? planned.cached + asked : Number(/question-(\d+)/.exec(files.question)?.[1] ?? 1);
    const label = `Question ${place}${planned ? ` of about ${Math.max(planned.calls, place)}` : ""}`;
    const text = stdin.isTTY
      ? await fromTerminal(request, files, label, signal)
      : await fromFiles(request, files, label);
    await writeFile(files.reply, text.endsWith("\n") ? text : `${text}\n`);
    const reply = { text, reasoning: null };
    const latencyMilliseconds = Math.round(performance.now() - started);
    return { ...reply, ...tokenUsage({}, { request, reply }), stop: "stop", model: id, latencyMilliseconds };
  }

  return { id, contextTokens: null, complete };
}

/** Questions after the first name the book instead of repeating it. */
function chatFor({ whole }: Files): string {
  return whole === null ? "your chat" : `the same chat (or, into a new one, ${whole}, which holds the book as well)`;
}

/** Escape sequences of keys without a character, such as arrows, and the marks around what is pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const KEY_SEQUENCE = /\u001b(?:\[[0-9;?]*[A-Za-z~]|O[A-Z])/g;
const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ["\u0003", "\u0004", "\b", "\u007f"];

/**
 * Replies that somebody types or pastes: lines until one that holds a full stop alone; an empty first line is an empty reply.
 * A terminal is read key by key, because in its own line mode it cuts a line after 4,095 bytes, and a chat may well reply in one line. It
 * is listened to only while a reply is waited for, so that the process can end.
 */
class TypedReplies {
  readonly #stdin: Keyboard;
  readonly #echo: (text: string) => void;
  readonly #interrupt: () => void;
  readonly #decoder = new StringDecoder("utf8");
  /** What was typed after the end of the last reply. */
  #ahead = "";

  constructor(stdin: Keyboard, echo: (text: string) => void, interrupt: () => void) {
    this.#stdin = stdin;
    this.#echo = echo;
    this.#interrupt = interrupt;
  }

  next(signal: AbortSignal): Promise<string> {
    const stdin = this.#stdin;
    return new Promise((resolve, reject) => {
      const lines: string[] = [];
      let line = "";
      const end = (give: () => void) => {
        stdin.off("data", take).off("end", close).off("close", close);
        signal.removeEventListener("abort", abort);
        stdin.setRawMode?.(false);
        stdin.pause();
        give();
      };
      /** Whether the reply is complete. */
      const endLine = () => {
        const isEnd = line.trim() === END_OF_REPLY || (lines.length === 0 && line.trim() === "");
        if (!isEnd) lines.push(line);
        line = "";
        return isEnd;
      };
      const read = (text: string) => {
        const characters = [...text.replace(KEY_SEQUENCE, "").replace(/\r\n?/g, "\n")];
        let shown = "";
        const show = () => stdin.setRawMode && this.#echo(shown);
        for (const [at, character] of characters.entries()) {
          if (character === "\n") {
            shown += "\n";
            if (!endLine()) continue;
            this.#ahead = characters.slice(at + 1).join("");
            show();
            return end(() => resolve(lines.join("\n")));
          }
          if (character === CTRL_C) this.#interrupt();
          else if (character === CTRL_D && line === "") return close();
          else if (character === BACKSPACE || character === DELETE) {
            if (line !== "") shown += "\b \b";
            line = [...line].slice(0, -1).join("");
          } else if (character >= " " || character === "\t") {
            line += character;
            shown += character;
          }
        }
        show();
      };
      const take = (chunk: Buffer | string) => read(this.#decoder.write(Buffer.from(chunk)));
      const close = () => {
        if (line !== "") lines.push(line);
        if (lines.length > 0) end(() => resolve(lines.join("\n")));
        else
          end(() =>
            reject(
              new ModelError("not-running", "paste", "Nothing more was pasted: the same command continues from here."),
            ),
          );
      };
      const abort = () => end(() => reject(signal.reason));
      if (signal.aborted) return abort();
      if (stdin.readableEnded || stdin.destroyed) return close();
      signal.addEventListener("abort", abort, { once: true });
      stdin.setRawMode?.(true);
      stdin.on("data", take).on("end", close).on("close", close);
      stdin.resume();
      const ahead = this.#ahead;
      this.#ahead = "";
      if (ahead !== "") read(ahead);
    });
  }
}

/** Reads what was piped in. The standard input of a terminal or service may stay open without any data. */
async function readPiped(stdin: Readable): Promise<string> {
  if (stdin.readableEnded || stdin.destroyed) return "";
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stdin.off("data", take);
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const timer = setTimeout(() => {
      stdin.pause();
      done();
    }, STDIN_MILLISECONDS);
    const take = (chunk: Buffer | string) => {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk));
    };
    stdin.on("data", take).once("end", done).once("error", done);
  });
}

async function textOf(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, "utf8");
    return text.trim() === "" ? null : text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The file of another question's reply with the same text, ignoring spaces: it was pasted in the wrong place. */
async function sameReply(folder: string, text: string, own: string): Promise<string | null> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith("reply-") || path === own) continue;
    if (withoutSpaces((await textOf(path)) ?? "") === withoutSpaces(text)) return name;
  }
  return null;
}

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { countOf } from "../core/wording.ts";
import { questionFor, replyProblems } from "../models/answered-by-hand.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { tokenUsage } from "../models/token-usage.ts";
import { countWords } from "../text/words.ts";
import type { Terminal } from "./terminal.ts";

/** Where questions and replies are kept, in the folder the command runs in. */
export const QUESTIONS_FOLDER = "fabula-questions";

/** How long to wait for somebody else's output before standard input counts as empty. */
const STDIN_MILLISECONDS = 2000;
const END_OF_REPLY = ".";

export interface PasteOptions {
  readonly id: string;
  readonly folder: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly terminal: Pick<Terminal, "note">;
}

interface Files {
  readonly question: string;
  readonly reply: string;
  /** What was refused because another question has the same reply: given once more, it is meant. */
  readonly refused: string;
}

/**
 * A judge in a chat window, with a person in between: each question is a file to copy, each reply is pasted into the terminal,
 * piped in, or saved as a file beside its question. Without a terminal the run ends at the first question without a reply, and
 * the same command goes on from there.
 */
export function pasteModel({ id, folder, stdin, terminal }: PasteOptions): ChatModel {
  let piped: Promise<string> | null = null;
  let lines: Interface | null = null;
  const handedOut = new Set<string>();

  async function filesFor(question: ReturnType<typeof questionFor>): Promise<Files> {
    const names = await readdir(folder);
    const known = names.find((name) => name.startsWith("question-") && name.endsWith(`-${question.id}.txt`));
    const asked = names.filter((name) => /^question-\d+-\w+\.txt$/.test(name)).length;
    const number = known?.split("-")[1] ?? String(asked + 1).padStart(2, "0");
    const path = (kind: string) => join(folder, `${kind}-${number}-${question.id}.txt`);
    const { parts, prompt } = question;
    // In one chat the book is there already: what follows names it instead of repeating it.
    const isKnown = parts !== null && (handedOut.has(parts.sharedId) || Number(number) > 1);
    if (parts !== null) handedOut.add(parts.sharedId);
    if (known === undefined) {
      const short = isKnown ? `About the same text as before.\n\n${parts.own}` : prompt;
      await writeFile(path("question"), `${short}\n`);
      if (isKnown) await writeFile(path("whole-question"), `${prompt}\n`);
    }
    return { question: path("question"), reply: path("reply"), refused: path("refused") };
  }

  /** The reply, checked; null when it cannot be used, after saying why and what to do. */
  async function usable(request: ChatRequest, text: string, files: Files): Promise<string | null> {
    const { shape, quotations } = replyProblems(request, text);
    const other = await sameReply(folder, text, files.reply);
    const isMeant = (await textOf(files.refused))?.trim() === text.trim();
    if (other !== null && !isMeant) {
      // A saved reply is moved, not lost; the question is open again.
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

  async function fromTerminal(request: ChatRequest, files: Files, signal: AbortSignal): Promise<string> {
    const words = countWords(await readFile(files.question, "utf8"));
    terminal.note(
      `\n${files.question} (${words.toLocaleString("en-GB")} words): copy all of it into your chat. Paste the reply here and end it with a line that holds one full stop; or save it as ${files.reply} and press Enter.`,
    );
    for (;;) {
      lines ??= createInterface({ input: stdin, terminal: false });
      const pasted = await pastedReply(lines, signal);
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
      `${correction}${label} waits in ${files.question}: copy all of it into your chat, save the reply as ${files.reply}, and run the same command again. Every answer so far is kept.`,
    );
  }

  async function complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const started = performance.now();
    await mkdir(folder, { recursive: true });
    const question = questionFor(request);
    const files = await filesFor(question);
    const label = `Question ${Number(/question-(\d+)/.exec(files.question)?.[1] ?? 1)}`;
    const text = stdin.isTTY ? await fromTerminal(request, files, signal) : await fromFiles(request, files, label);
    await writeFile(files.reply, text.endsWith("\n") ? text : `${text}\n`);
    const reply = { text, reasoning: null };
    const latencyMilliseconds = Math.round(performance.now() - started);
    return { ...reply, ...tokenUsage({}, { request, reply }), stop: "stop", model: id, latencyMilliseconds };
  }

  return { id, contextTokens: null, complete };
}

/** Lines until one that holds a full stop alone; an empty first line is an empty reply. */
function pastedReply(lines: Interface, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const taken: string[] = [];
    const end = (give: () => void) => {
      lines.off("line", take).off("close", close);
      signal.removeEventListener("abort", abort);
      give();
    };
    const take = (line: string) => {
      if (line.trim() === END_OF_REPLY || (taken.length === 0 && line.trim() === "")) {
        end(() => resolve(taken.join("\n")));
      } else taken.push(line);
    };
    const close = () =>
      taken.length > 0
        ? end(() => resolve(taken.join("\n")))
        : end(() =>
            reject(
              new ModelError("not-running", "paste", "Nothing more was pasted: the same command goes on from here."),
            ),
          );
    const abort = () => end(() => reject(signal.reason));
    lines.on("line", take).on("close", close);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** What was piped in. A terminal's or a service's standard input may stay open without ever saying anything. */
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

/** The file of another question's reply that says the same, word for word: it was pasted into the wrong place. */
async function sameReply(folder: string, text: string, own: string): Promise<string | null> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith("reply-") || path === own) continue;
    if ((await textOf(path))?.trim() === text.trim()) return name;
  }
  return null;
}

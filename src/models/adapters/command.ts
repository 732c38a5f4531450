import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../chat-model.ts";
import { ModelError, type ModelFailure, redact } from "../model-error.ts";
import { splitReasoning } from "../read-reply.ts";
import { schemaInWords } from "../reply-schema.ts";
import { LARGEST_REPLY, tokenUsage } from "../transport.ts";

export interface CommandOptions {
  readonly id: string;
  readonly command: string;
  readonly contextTokens: number | null;
  /** The time limit for one reply. */
  readonly timeoutSeconds?: number | undefined;
  /** Called with a message if no reply has come for a while. */
  readonly onSilence?: ((words: string) => void) | undefined;
  readonly clock: Clock;
}

const TIMEOUT_SECONDS = 900;
/** A program that has never answered may be waiting for input; one that has may be reading a long book. */
const SILENCE_SECONDS = { unknown: 30, known: 240 };
const KEPT_OF_STDERR = 4000;
const SHOWN = 300;
const MEGABYTE = 1024 * 1024;

/**
 * Commands that have answered this process. If one fails now it may work in a moment; one that never answered will
 * not.
 */
const answeredBefore = new Set<string>();

/**
 * Any program that reads a prompt on standard input and prints a reply: a command-line assistant, or a script of the
 * user's. It is started without a shell, in a session of its own: it cannot ask the terminal, and it ends with
 * everything it has started.
 */
export function commandModel(options: CommandOptions): ChatModel {
  const { id, command, contextTokens, timeoutSeconds, onSilence, clock } = options;
  const seconds = timeoutSeconds ?? TIMEOUT_SECONDS;
  let isNoted = false;
  const silence = (waited: number, printed: string) => {
    // One notice is enough, however many questions are waiting.
    if (isNoted) return;
    isNoted = true;
    const last = said(printed).replace("; it said", "; it printed last");
    onSilence?.(
      `No reply has come from the command "${command}" for ${waited} seconds${last}. It is given ${seconds} seconds (\`timeout:\` in your own settings). If it waits for input or a login, stop with Ctrl-C and run it once in a terminal.`,
    );
  };
  // A mistake in it is reported before anything is asked.
  splitWords(command);
  return {
    id,
    contextTokens,
    async complete(request, signal) {
      const started = clock.now().getTime();
      const output = await runCommand(command, promptText(request), {
        seconds,
        signal,
        silenceAfter: Math.min(SILENCE_SECONDS[answeredBefore.has(command) ? "known" : "unknown"], seconds / 2),
        silence,
      });
      isNoted = false;
      const { answer, reasoning } = splitReasoning(readOutput(id, command, output, seconds).trim());
      const said = { text: answer, reasoning };
      answeredBefore.add(command);
      return {
        ...said,
        ...tokenUsage({}, { request, reply: said }),
        stop: "stop",
        model: id,
        latencyMilliseconds: clock.now().getTime() - started,
      } satisfies ChatReply;
    },
  };
}

/** The messages one after the other, followed by the schema of the reply, as a single text. */
export function promptText({ messages, schema }: ChatRequest): string {
  return [...messages.map(({ content }) => content), ...(schema ? [schemaInWords(schema)] : [])].join("\n\n");
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly end:
    | { readonly kind: "exit"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
    | { readonly kind: "timeout" | "too-large" }
    | { readonly kind: "unstarted"; readonly error: NodeJS.ErrnoException };
}

interface Patience {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** After so many seconds without a reply, `silence` is called with the output so far. */
  readonly silenceAfter: number;
  readonly silence: (waited: number, printed: string) => void;
}

function runCommand(
  command: string,
  prompt: string,
  { seconds, signal, silenceAfter, silence }: Patience,
): Promise<Output> {
  signal.throwIfAborted();
  const child = start(command);
  if (running.size === 0) process.once("exit", killRunning);
  running.add(child);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = "";
    const over = () => {
      running.delete(child);
      if (running.size === 0) process.off("exit", killRunning);
      clearTimeout(timer);
      clearTimeout(silent);
    };
    const finish = (end: Output["end"]) => {
      over();
      signal.removeEventListener("abort", abort);
      resolve({ stdout: Buffer.concat(chunks).toString("utf8"), stderr, end });
    };
    const stop = (kind: "timeout" | "too-large") => {
      killAll(child);
      finish({ kind });
    };
    const abort = () => {
      killAll(child);
      over();
      signal.removeEventListener("abort", abort);
      reject(signal.reason);
    };
    const timer = setTimeout(() => stop("timeout"), seconds * 1000);
    const silent = setTimeout(
      () => silence(silenceAfter, stderr.trim() || Buffer.concat(chunks).toString("utf8")),
      silenceAfter * 1000,
    );
    signal.addEventListener("abort", abort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_REPLY) return stop("too-large");
      chunks.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT_OF_STDERR);
    });
    child.on("error", (error) => finish({ kind: "unstarted", error }));
    child.on("close", (code, killedBy) => finish({ kind: "exit", code, signal: killedBy }));
    // A program may answer without having read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(prompt);
  });
}

function start(command: string): ChildProcess {
  // On Windows, npm programs are scripts, which only a shell can start.
  if (process.platform === "win32") return spawn(command, { shell: true, windowsHide: true });
  const [program = "", ...words] = splitWords(command);
  return spawn(program, words, { detached: true });
}

/** In sessions of their own, they would outlive a process that ends at a second Ctrl-C. */
const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) killAll(child);
}

/** Ends the program and every process that it started. */
function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.stdout?.destroy();
  child.stderr?.destroy();
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function readOutput(id: string, command: string, { stdout, stderr, end }: Output, seconds: number): string {
  const fail = (failure: ModelFailure, words: string) =>
    new ModelError(failure, id, redact(words), { evidence: redact(stderr || stdout.slice(-KEPT_OF_STDERR)) || null });
  const once = answeredBefore.has(command);
  const question = questionIn(stdout) ?? questionIn(stderr);
  if (question !== null && (end.kind !== "exit" || end.code !== 0 || stdout.trim().length < SHOWN)) {
    return refuse(
      fail(
        "not-running",
        `The command "${command}" asks for input (${question}), which it cannot get here: run it once in a terminal and answer it there, then try again.`,
      ),
    );
  }
  switch (end.kind) {
    case "unstarted":
      return refuse(
        fail(
          "not-running",
          `The command "${command}" cannot be started (${end.error.code ?? end.error.message}): check that the program is installed and on your PATH.`,
        ),
      );
    case "timeout":
      return refuse(
        fail(
          once ? "rejected" : "not-running",
          `The command "${command}" did not answer within ${seconds} seconds and was stopped${said(stderr)}. Give it more with \`timeout:\` under \`judges:\` in your own settings, or try it in a terminal.`,
        ),
      );
    case "too-large":
      return refuse(
        fail(
          once ? "rejected" : "not-running",
          `The command "${command}" printed more than ${LARGEST_REPLY / MEGABYTE} MB and was stopped: it should print the reply and nothing else.`,
        ),
      );
    case "exit":
      if (end.code !== 0) {
        const how = end.code === null ? `was ended by ${end.signal}` : `ended with code ${end.code}`;
        const after = stdout.trim() === "" ? "" : ` in the middle of a reply (${stdout.trim().length} characters)`;
        return refuse(
          fail(
            once ? "server" : "not-running",
            `The command "${command}" ${how}${after}${said(stderr || stdout)}. What it printed was not used; try it in a terminal.`,
          ),
        );
      }
      if (stdout.trim() === "")
        return refuse(
          fail(
            once ? "server" : "not-running",
            `The command "${command}" printed nothing${said(stderr)}. Try it in a terminal, with the prompt on standard input (\`echo "Say ready" | ${command}\`): it must print the reply on standard output.`,
          ),
        );
      return stdout;
    default:
      return end satisfies never;
  }
}

function refuse(error: ModelError): never {
  throw error;
}

function said(text: string): string {
  const words = text.trim().replace(/\s+/g, " ").slice(-SHOWN);
  return words === "" ? "" : `; it said: ${words.replace(/[.\s]+$/, "")}`;
}

const QUESTION =
  /(?:\[y\/n\]|\(y\/n\)|\(yes\/no\)|password|passphrase|user ?name|log ?in|press (?:enter|any key).*)\s*[:?>]\s*$/i;

/** What a program asks for at the end of its output, instead of answering. */
function questionIn(text: string): string | null {
  const last = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last.length <= SHOWN && (QUESTION.test(last) || /\[y\/n\]$/i.test(last)) ? JSON.stringify(last) : null;
}

/**
 * Splits a command line into words, with single and double quotes and backslashes as in a shell, but no other shell
 * syntax.
 */
function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < command.length; at++) {
    const character = command[at]!;
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (character === "\\" && quote === '"' && /["\\$`]/.test(command[at + 1] ?? "")) word += command[++at]!;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (character === "\\" && at + 1 < command.length) word = (word ?? "") + command[++at]!;
    else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + character;
  }
  if (quote !== null) {
    throw new FabulaError("E_USAGE", `The command "${command}" has a quotation mark that is not closed: close it.`);
  }
  if (word !== null) words.push(word);
  return words;
}

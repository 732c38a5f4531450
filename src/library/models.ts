import type { ChatModel } from "../models/chat-model.ts";
import { type ChatModelOptions, createChatModel as createModel } from "../models/create-chat-model.ts";
import { resolveShortName } from "../models/own-judge.ts";
import { openRun as open, type Run, type RunServices, type RunSettings } from "../runner/open-run.ts";
import { connectionsOf } from "./task-function.ts";

/** The model behind a judge's name, with keys from the environment unless they are given. */
export function createChatModel(name: string, options: Partial<ChatModelOptions> = {}): Promise<ChatModel> {
  return createModel(name, { ...options, connections: connectionsOf(options.connections, [name]) });
}

/** Opens a run, with keys from the environment unless they are given, in memory unless a store is named. */
export async function openRun(settings: Partial<RunSettings> = {}, services: Partial<RunServices> = {}): Promise<Run> {
  const connections = connectionsOf(settings.connections);
  const run = await open(
    { store: ":memory:", ...settings, connections },
    { signal: new AbortController().signal, ...services },
  );
  return {
    ...run,
    // A program that the caller names here is named by the caller.
    model: async (judge) =>
      run.model(
        typeof judge === "string" && resolveShortName(judge, connections.judges).startsWith("command:")
          ? await createChatModel(judge, { connections })
          : judge,
      ),
  };
}

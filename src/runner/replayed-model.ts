import type { ChatModel } from "../models/chat-model.ts";
import type { ModelIdentity } from "../models/create-chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import type { Store } from "../store/store.ts";
import { identify } from "./call-key.ts";
import { type RecallContext, recallReply } from "./durable-model.ts";

/**
 * A model that sends nothing: it replays the answers and failures that other processes of the same run stored. Their work
 * is combined by running it once more with such models.
 */
export function replayedModel(model: ModelIdentity, context: RecallContext & { readonly store: Store }): ChatModel {
  return {
    id: model.id,
    get contextTokens() {
      return model.contextTokens;
    },
    async complete(request) {
      const { key } = identify(model, request);
      const known = await context.store.findCall(key);
      if (known) return recallReply(known, request, context);
      const use = await context.store.findUse(context.runId, key);
      throw new ModelError(
        "rejected",
        model.id,
        use?.reason ?? `${model.id} was not called: no worker picked it up. Run \`fabula runs resume\` to continue.`,
      );
    },
  };
}

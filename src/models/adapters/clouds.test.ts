import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { manifestPath } from "../../core/assets.ts";
import { explainMissingPackage } from "../../core/loading/optional-package.ts";
import { connectionsFromEnvironment } from "../connection.ts";
import { createChatModel } from "../create-chat-model.ts";
import { judgeNameOf, parseJudgeName } from "../judge-name.ts";
import { loadPrices, priceOf } from "../prices.ts";
import { CLOUD_PROVIDERS, CLOUDS, packageOf } from "./clouds.ts";

const manifest = z
  .object({
    peerDependencies: z.record(z.string(), z.string()),
    peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })),
  })
  .parse(JSON.parse(readFileSync(manifestPath(), "utf8")));

it.each(CLOUD_PROVIDERS)("the declaration of %s is all that its judges need", async (provider) => {
  const { keys, suggested, title } = CLOUDS[provider];
  const judge = `${provider}:${suggested}`;
  expect(judgeNameOf(judge)).toEqual({ provider, model: suggested });
  expect(() => parseJudgeName("nobody")).toThrow(`${provider}:MODEL`);
  expect(priceOf(await loadPrices(), judge)).not.toBeNull();
  await expect(createChatModel(judge, { connections: {} })).rejects.toThrow(`No key for ${provider}: set ${keys[0]}`);
  const address = keys[0].replace("API_KEY", "BASE_URL");
  for (const key of keys) {
    const connections = connectionsFromEnvironment({ [key]: "a-key", [address]: "http://127.0.0.1:9/" });
    expect(connections[provider]).toEqual({ key: "a-key", baseUrl: "http://127.0.0.1:9" });
    expect(await createChatModel(judge, { connections })).toMatchObject({ id: judge, origin: "http://127.0.0.1:9" });
  }
  const create = await CLOUDS[provider].load({ apiKey: "a-key", baseURL: "http://127.0.0.1:9", fetch });
  expect(create(suggested)).toMatchObject({ modelId: suggested });
  const needed = packageOf(provider);
  expect(manifest.peerDependenciesMeta[needed.name]).toEqual({ optional: true });
  expect(needed.install).toBe(`${needed.name}@${/^\^(\d+)\./.exec(manifest.peerDependencies[needed.name]!)![1]}`);
  const missing = Object.assign(new Error(`Cannot find package '${needed.name}' imported from /x`), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const message = expect.stringMatching(
    new RegExp(`^An? ${title} judge needs .* run \`npm install ${needed.install}\``),
  );
  expect(explainMissingPackage(missing, [needed])).toMatchObject({ code: "E_PACKAGE_MISSING", message });
});

import { Hono } from "hono";
import type { Reachable, ServerFacts } from "../../api/settings.ts";
import { CLOUD_PROVIDERS, CLOUDS } from "../../models/adapters/clouds.ts";
import { loadPrices } from "../../models/prices.ts";
import { withoutPassword } from "../../store/postgres/address.ts";
import { diagnose } from "../../tasks/runs/doctor.ts";
import { respond } from "../http/typed-route.ts";
import type { Services } from "../services.ts";

/** How the server was started, and what it can reach. Keys are never sent back. */
export function settingsRoutes({ settings, keyOrigin }: Services) {
  return new Hono()
    .get("/", async (context) => {
      const { date, models } = await loadPrices(settings.prices);
      const facts: ServerFacts = {
        version: settings.version,
        library: settings.library,
        store: withoutPassword(settings.store),
        profiles: settings.profiles,
        benches: settings.benches,
        keys: CLOUD_PROVIDERS.map((provider) => ({
          provider,
          variable: CLOUDS[provider].keys[0],
          origin: keyOrigin(provider),
        })),
        prices: {
          date,
          file: settings.prices ?? null,
          models: Object.entries(models).map(([name, { input, output, context: tokens }]) => ({
            name,
            input,
            output,
            context: tokens ?? null,
          })),
        },
      };
      return respond(context, facts);
    })
    .post("/check", async (context) => {
      const { store, connections, prices } = settings;
      const asked = { store, connections, ...(prices !== undefined && { prices }) };
      const { findings } = await diagnose(asked, context.req.raw.signal);
      const answer: Reachable[] = findings.map(({ name, state, detail, milliseconds }) => ({
        name,
        state,
        detail: withoutPassword(detail),
        milliseconds: milliseconds ?? null,
      }));
      return respond(context, answer);
    });
}

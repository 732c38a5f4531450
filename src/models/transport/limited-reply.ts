import { ModelError } from "../model-error.ts";

const MEGABYTE = 1024 * 1024;

/** The longest replies of today's models have about a megabyte. */
export const LARGEST_REPLY = 16 * MEGABYTE;
/** Thousands of replies in one file: a quarter of a megabyte for each of the largest batch. */
export const LARGEST_BATCH_RESULTS = 512 * MEGABYTE;

/** The same response, which fails instead of growing past the limit. */
export function limitedReply(model: string, response: Response, largest: number): Response {
  if (!response.body) return response;
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  if (announced > largest) {
    response.body.cancel().catch(() => {});
    throw tooLarge(model, largest);
  }
  // HTTP itself ends a body at its announced length, but that length is of the packed form.
  if (announced <= largest && !response.headers.has("content-encoding")) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > largest) controller.error(tooLarge(model, largest));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

function tooLarge(model: string, largest: number): ModelError {
  return new ModelError(
    "too-large",
    model,
    `${model} sent a reply of more than ${largest / MEGABYTE} MB, which was not read to its end: check the model's address.`,
  );
}

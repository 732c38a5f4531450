import type { MiddlewareHandler } from "hono";
import { FabulaError } from "../../core/errors.ts";
import { clientAddress } from "./client-address.ts";

/** More files at a time than anyone drops on the page by hand are a program's, or an attack. */
const MOST_UPLOADS = 16;

/** Limits the uploads of one client that are being received and read at the same time. */
export function uploadLimit(most = MOST_UPLOADS): MiddlewareHandler {
  const underWay = new Map<string, number>();
  return async (context, next) => {
    if (!/^multipart\//i.test(context.req.header("content-type") ?? "")) return next();
    const client = clientAddress(context);
    const count = underWay.get(client) ?? 0;
    if (count >= most) {
      throw new FabulaError(
        "E_TOO_MUCH_WORK",
        `${most} uploads from this address are still being read: wait for one to end and send this one again.`,
      );
    }
    underWay.set(client, count + 1);
    try {
      await next();
    } finally {
      const left = (underWay.get(client) ?? 1) - 1;
      if (left > 0) underWay.set(client, left);
      else underWay.delete(client);
    }
  };
}

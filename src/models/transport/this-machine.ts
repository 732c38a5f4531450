import { isLoopback } from "../../core/loopback.ts";

/** Whether a call to this host, as `URL` writes it, stays on this machine. 0.0.0.0 does as a target, though not as a listener. */
export function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || hostname === "0.0.0.0";
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { InvitedPeople } from "./invited-people.ts";

let library: string;
beforeEach(async () => {
  library = await mkdtemp(join(tmpdir(), "fabula-people-"));
});
afterEach(() => rm(library, { recursive: true }));

it("counts each of several revocations at once, and remembers them", async () => {
  const people = new InvitedPeople(library);
  const names = ["Ada", "Ben", "constructor"];
  await Promise.all(names.map((name) => people.invite({ role: "reader", name })));
  await Promise.all([...names, "Ada"].map((name) => people.revoke(name)));
  const links = names.map(async (name) => (await new InvitedPeople(library).invite({ role: "reader", name })).link);
  expect(await Promise.all(links)).toEqual([2, 1, 1]);
  expect(await people.isInvited({ role: "reader", name: "Ada", link: 1 })).toBe(false);
});

it("refuses a name that nobody was invited by, and remembers who was invited at an earlier start", async () => {
  await new InvitedPeople(library).invite({ role: "reader", name: "Ben" });
  const people = new InvitedPeople(library);
  await expect(people.revoke("ben")).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  await people.revoke("Ben");
  expect(await people.isInvited({ role: "reader", name: "Ben", link: 0 })).toBe(false);
});

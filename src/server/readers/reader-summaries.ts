import type { ReaderSummary } from "../../api/readers.ts";
import { meanOfHistory } from "../../reader/baselines.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { listProfiles } from "../../tasks/readers/reader-profiles.ts";

export async function readerSummaries(folder: string): Promise<ReaderSummary[]> {
  return (await listProfiles(folder)).map(readerSummary);
}

export function readerSummary({ name, language, reviews }: ReaderProfile): ReaderSummary {
  const ratings = reviews.flatMap(({ rating }) => (rating === undefined ? [] : [rating]));
  return { name, language, reviews: reviews.length, meanRating: meanOfHistory(ratings) };
}

import type { Segment } from "../../text/segments.ts";
import { metadataText, segmentPlace, segmentText } from "../material/book-material.ts";
import { notesText } from "../summary/notes.ts";
import type { MethodMaterial } from "./method.ts";

/** What a prompt is told about one segment: the book, what came before it, its text, and where in the book it is. */
export async function segmentValues(material: MethodMaterial, segment: Segment) {
  const { book, segments, judging } = material;
  const { language } = judging;
  const before = (await material.summary().before(segment.index))?.notes ?? null;
  return {
    metadata: metadataText(book, language, judging.presentation),
    before: before ? (judging.presentation?.before === "plot" ? before.plot : notesText(before)) : null,
    segment: segmentText(book, segment, language),
    place: segmentPlace(segment, segments.length, language),
  };
}

/** A file that is neither YAML nor JSON. */
import type { TextPlace } from "#lib/authoring/document-path.ts";
import { placeOf, type UnreadableText, YamlProblem } from "#lib/template/yaml/yaml-error.ts";
import { CommandFailed } from "./failure.ts";

export class UnreadableFile extends CommandFailed {
  readonly file: string;
  readonly problem: string;
  /** Null: the whole text is at fault. */
  readonly place: TextPlace | null;

  constructor(text: string, file: string, cause: UnreadableText) {
    const problem = cause.message.replaceAll('"<unicode string>"', JSON.stringify(file));
    super(`${file} is neither YAML nor JSON: ${problem}`, undefined, { cause });
    this.file = file;
    this.problem = problem;
    const place = cause instanceof YamlProblem ? placeOf(text, cause.offset) : null;
    this.place = place === null ? null : { line: place.line + 1, column: place.column + 1 };
  }
}

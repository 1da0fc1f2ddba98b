/** A template as YAML. The server keeps the meaning of a template, and not its text. */
import { isCollection, isScalar, parseDocument, visit } from "yaml";

/** Version 1.1 puts in quotes what other readers of YAML would take for a date or a boolean. */
const OPTIONS = { version: "1.1", intAsBigInt: true } as const;

/** Numbers and the order of keys stay as they are, because JSON is read as YAML. */
export const templateText = (template: unknown): string => {
  const document = parseDocument(JSON.stringify(template), OPTIONS);
  visit(document, (_, node) => {
    if (isCollection(node)) node.flow = node.items.length === 0;
    else if (isScalar(node)) delete node.type;
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
};

/**
 * The editor of templates. It is in a shadow tree, because the content policy refuses styles that a
 * script adds as elements of the page.
 */
import { autocompletion, type CompletionSource } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "preact/hooks";
import { completionsAt } from "./completion.ts";
import type { Words } from "./completion-words.ts";
import type { Fault } from "./fault-places.ts";

interface EditorProps {
  /** The first text. Later changes of this property are ignored. */
  readonly text: string;
  readonly label: string;
  readonly changed: (text: string) => void;
  readonly faults: readonly Fault[];
  readonly words: Words;
}

/**
 * The colours are variables of the page, which a shadow tree inherits. The linter's pictures are
 * replaced, because the content policy would refuse them.
 */
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--text)", backgroundColor: "var(--card)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--page)",
    color: "var(--faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--quiet-fill)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--card)",
    border: "1px solid var(--line)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-completionDetail": { color: "var(--faint)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionInfo": { maxWidth: "26rem", whiteSpace: "normal" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
  },
  ".cm-lint-marker-error": {
    content: "normal",
    width: "0.7em",
    height: "0.7em",
    margin: "0.35em 0.15em",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
  },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
});

const WORDS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--busy)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: "var(--faint)" },
]);

/** Columns count characters, and not UTF-16 units. */
const diagnosticsIn = ({ state }: EditorView, faults: readonly Fault[]): readonly Diagnostic[] =>
  faults.flatMap(({ text: message, place }) => {
    if (place === null || place.line > state.doc.lines) return [];
    const line = state.doc.line(place.line);
    const before = Array.from(line.text).slice(0, place.column - 1);
    const from = line.from + before.join("").length;
    return [{ from, to: line.to, severity: "error" as const, message }];
  });

const sourceOf =
  (words: Words): CompletionSource =>
  async ({ state, pos, explicit }) => {
    // If the server does not answer, the editor works without completion.
    const found = await completionsAt(state.doc.toString(), pos, words).catch(() => null);
    if (found === null || (found.typed === 0 && !explicit)) return null;
    return { from: pos - found.typed, options: [...found.options], validFor: /^[\w:.-]*$/ };
  };

const openEditor = (
  root: ShadowRoot,
  { text, label, words }: EditorProps,
  changed: (text: string) => void,
): EditorView => {
  const language = yaml();
  return new EditorView({
    doc: text,
    parent: root,
    root,
    extensions: [
      basicSetup,
      language,
      language.language.data.of({ autocomplete: sourceOf(words) }),
      autocompletion({ icons: false }),
      lintGutter(),
      LOOK,
      syntaxHighlighting(WORDS),
      EditorView.lineWrapping,
      // A user leaves the editor with Escape and then Tab.
      keymap.of([indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ],
  });
};

export const TemplateEditor = (props: EditorProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props.changed);
  latest.current = props.changed;
  useEffect(() => {
    if (frame.current === null) return;
    const root = frame.current.shadowRoot ?? frame.current.attachShadow({ mode: "open" });
    const opened = openEditor(root, props, (text) => latest.current(text));
    view.current = opened;
    return () => opened.destroy();
  }, []);
  const { faults } = props;
  useEffect(() => {
    const { current } = view;
    if (current === null) return;
    current.dispatch(setDiagnostics(current.state, diagnosticsIn(current, faults)));
  }, [faults]);
  return <div class="editor" ref={frame} />;
};

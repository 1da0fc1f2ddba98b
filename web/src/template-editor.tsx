/**
 * The editor of templates. It stands in a shadow tree, because there its styles are no elements of
 * the page, which the content policy would refuse.
 */
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "preact/hooks";

interface EditorProps {
  /** What it begins with. It is not read again. */
  readonly text: string;
  readonly label: string;
  readonly changed: (text: string) => void;
}

/** The colours are the page's own, which go into the shadow tree. */
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
});

const WORDS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--busy)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: "var(--faint)" },
]);

export const TemplateEditor = ({ text, label, changed }: EditorProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    if (frame.current === null) return;
    const root = frame.current.shadowRoot ?? frame.current.attachShadow({ mode: "open" });
    const view = new EditorView({
      doc: text,
      parent: root,
      root,
      extensions: [
        basicSetup,
        yaml(),
        LOOK,
        syntaxHighlighting(WORDS),
        EditorView.lineWrapping,
        // Escape, and then the key, leaves the editor.
        keymap.of([indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current(update.state.doc.toString());
        }),
      ],
    });
    return () => view.destroy();
  }, []);
  return <div class="editor" ref={frame} />;
};

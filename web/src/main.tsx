/** Where the console begins. */
import { render } from "preact";
import * as z from "zod";
import { App } from "./app.tsx";
import "./style.css";

// Compiled checks need `eval`, which the content policy forbids.
z.config({ jitless: true });

const root = document.getElementById("console");
if (root !== null) render(<App />, root);

import { declareDiagnosticsLooks } from "../support/diagnostics-looks.ts";

declareDiagnosticsLooks();

import { declareBulkLooks } from "../support/bulk-looks.ts";

declareBulkLooks();

import { declareMigrationLooks } from "../support/migration-looks.ts";

declareMigrationLooks();

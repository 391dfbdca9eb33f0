import { declareMigrationLooks } from "../support/migration-looks.ts";

declareMigrationLooks("light");
declareMigrationLooks("dark");

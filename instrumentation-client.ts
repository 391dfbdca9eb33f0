import { keepNavigation } from "#components/shell/keep-navigation.ts";
import { registerOfflineWorker } from "#components/shell/register-offline-worker.ts";

export { announceNavigation as onRouterTransitionStart } from "#components/ui/navigation-start.ts";

if (process.env.NODE_ENV === "production") registerOfflineWorker();
keepNavigation();

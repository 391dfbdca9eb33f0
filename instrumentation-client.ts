export { announceNavigation as onRouterTransitionStart } from "#components/shell/navigation-start.ts";

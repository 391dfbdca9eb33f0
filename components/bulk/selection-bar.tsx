"use client";
import { useQuery } from "@tanstack/react-query";
import {
  CirclePlay,
  Contact,
  Ellipsis,
  ListFilter,
  Network,
  NotebookPen,
  OctagonX,
  Pause,
  RefreshCw,
  Repeat,
  RepeatOff,
  Tag,
  TagX,
  X,
} from "lucide-react";
import { Fragment, useState } from "react";
import { flushSync } from "react-dom";
import { usePermission } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { loadDialog } from "#components/ui/load-dialog.tsx";
import { MenuItem, MenuSeparator } from "#components/ui/menu-item.tsx";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";
import { bulkKindPermission, MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { numberText } from "#lib/domain/count-text.ts";
import type { AddressActions } from "./change-addresses-dialog.tsx";
import type { ChangeActions } from "./change-dialog.tsx";
import { type OfferedChange, offeredChanges, offeredFor } from "./license-change.ts";
import { findFirstAction, SELECTION_ACTIONS, useSelectionPage } from "./selection-scope.tsx";
import {
  clearSelection,
  isSelected,
  narrowTo,
  ownersOf,
  type SelectionNoun,
  selectedCount,
  selectMatching,
  selectPage,
  useSelection,
} from "./selection-store.ts";

const ChangeDialog = loadDialog(() => import("./change-dialog.tsx"));
const ChangeAddressesDialog = loadDialog(() => import("./change-addresses-dialog.tsx"));

export interface SelectionBarProps extends ChangeActions {
  readonly noun: SelectionNoun;
  /** There is more than this page. */
  readonly paged: boolean;
  /** How many match the list's filter, up to one more than can be changed at once. Server actions all. */
  readonly count: (search: string) => Promise<ActionResult<number>>;
  /** For licenses. */
  readonly addresses?: AddressActions;
}

type Opened = OfferedChange | "change_ip";

const icons = {
  renew: RefreshCw,
  suspend: Pause,
  unsuspend: CirclePlay,
  change_ip: Network,
  notes: NotebookPen,
  customer: Contact,
  add_tags: Tag,
  remove_tags: TagX,
  terminate: OctagonX,
  auto_renew_on: Repeat,
  auto_renew_off: RepeatOff,
} as const satisfies Record<Opened, unknown>;

/** Of the menu. */
const beginsGroup: ReadonlySet<Opened> = new Set(["customer", "auto_renew_on", "terminate"]);

/** At the bottom while rows are selected: how many, and what can be done with all of them at once. */
export function SelectionBar({ noun, paged, count, quote, start, addresses }: SelectionBarProps) {
  const selection = useSelection(noun);
  const may = {
    "wallet:spend": usePermission("wallet:spend"),
    "licenses:terminate": usePermission("licenses:terminate"),
    none: true,
  };
  const [open, setOpen] = useState<Opened | null>(null);
  const selected = selectedCount(selection);
  const owners = ownersOf(selection);
  if (selected === 0) {
    // A dialog that is still loading must not open for another selection.
    if (open !== null) setOpen(null);
    return null;
  }
  const close = () => setOpen(null);
  const icon = (name: Opened) => {
    const Icon = icons[name];
    return <Icon />;
  };
  return (
    <section
      aria-label={`Selected ${noun}s`}
      className="enter-rise sticky bottom-4 z-30 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-surface-raised py-2 pr-3 pl-2 text-sm shadow-overlay max-md:bottom-[calc(4.5rem+var(--toast-space,0px))] max-md:w-full"
    >
      <IconButton className="-mr-2" icon={<X />} label="Clear the selection" onClick={() => clearSelection(noun)} />
      <p className="tabular font-medium" role="status">
        {selection.kind === "matching" ? "All " : ""}
        {numberText(selected)} selected
      </p>
      <PageOffer />
      {paged && <MatchingOffer count={count} />}
      <div className="flex items-center gap-1.5 max-md:ml-auto" {...{ [SELECTION_ACTIONS]: "" }}>
        {owners.length > 1 ? (
          <OwnerChoice noun={noun} owners={owners} />
        ) : (
          <>
            {may["wallet:spend"] && (
              <Button icon={icon("renew")} onClick={() => setOpen("renew")} size="sm">
                Renew
              </Button>
            )}
            <DropdownMenu
              label="More changes"
              trigger={
                <>
                  <Ellipsis />
                  <span className="max-md:hidden">More changes</span>
                </>
              }
              variant="secondary"
            >
              {offeredFor[noun]
                .filter((name) => name !== "renew" && may[permissionOf(name)])
                .map((name, index) => (
                  <Fragment key={name}>
                    {index > 0 && beginsGroup.has(name) && <MenuSeparator />}
                    <MenuItem
                      icon={icon(name)}
                      onSelect={() => setOpen(name)}
                      tone={name === "terminate" ? "critical" : "default"}
                    >
                      {name === "change_ip" ? "Change IP" : offeredChanges[name].label}
                    </MenuItem>
                  </Fragment>
                ))}
            </DropdownMenu>
          </>
        )}
      </div>
      {open === "change_ip" && addresses && (
        <ChangeAddressesDialog onGiveUp={close} props={{ ...addresses, selection, onClose: close }} />
      )}
      {open !== null && open !== "change_ip" && (
        <ChangeDialog
          key={open}
          onGiveUp={close}
          props={{ noun, offered: open, selection, quote, start, onClose: close }}
        />
      )}
    </section>
  );
}

function permissionOf(name: Opened) {
  return bulkKindPermission(name === "change_ip" ? name : offeredChanges[name].change.kind) ?? "none";
}

interface OwnerChoiceProps {
  readonly noun: SelectionNoun;
  readonly owners: ReturnType<typeof ownersOf>;
}

/** Instead of the changes while several resellers' rows are selected: whose to keep. */
function OwnerChoice({ noun, owners }: OwnerChoiceProps) {
  return (
    <>
      <p className="mr-1.5 text-text-muted max-md:pl-3">
        These belong to {owners.length} resellers. A job can change {noun}s of only one.
      </p>
      <DropdownMenu
        label="Choose a reseller"
        trigger={
          <>
            <ListFilter />
            Choose a reseller
          </>
        }
        variant="secondary"
      >
        {owners.map(({ owner, count }) => (
          <MenuItem
            key={owner.id}
            onSelect={() => {
              flushSync(() => narrowTo(noun, owner));
              // This menu is gone, and the focus with it.
              findFirstAction()?.focus();
            }}
            trailing={<span className="tabular text-text-muted">{count}</span>}
          >
            {owner.name}
          </MenuItem>
        ))}
      </DropdownMenu>
    </>
  );
}

/** Where there is no table head to press: all rows of the page. */
function PageOffer() {
  const page = useSelectionPage();
  const selection = useSelection(page.noun);
  if (page.ids.every((id) => isSelected(selection, id, page))) return null;
  return (
    <Button className="md:hidden" onClick={() => selectPage(true, page)} size="sm" variant="ghost">
      Select all {page.ids.length}
    </Button>
  );
}

/** Once all of a page is selected: everything that matches, on the other pages, too. */
function MatchingOffer({ count }: Pick<SelectionBarProps, "count">) {
  const page = useSelectionPage();
  const selection = useSelection(page.noun);
  const wanted = selection.kind === "ids" && page.ids.every((id) => isSelected(selection, id, page));
  const { data } = useQuery({
    queryKey: ["matching-count", page.noun, page.search],
    queryFn: async () => requireValue(await count(page.search)),
    enabled: wanted,
    staleTime: 0,
  });
  if (!wanted || data === undefined || data <= page.ids.length) return null;
  if (data > MAX_BULK_ITEMS) {
    return (
      <p className="text-text-muted">
        More than {numberText(MAX_BULK_ITEMS)} match: filter first to select all of them.
      </p>
    );
  }
  return (
    <Button onClick={() => selectMatching(page, data)} size="sm" variant="ghost">
      Select all {numberText(data)} that match
    </Button>
  );
}

"use client";
import { InlineEdit } from "#components/form/inline-edit.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { formatTags } from "#lib/domain/labels.ts";
import { TagsField } from "./label-fields.tsx";
import type { TagsInput } from "./license-changes.ts";
import { licenseListHref } from "./license-params.ts";
import { TagLinks } from "./tag-links.tsx";

export interface EditTagsProps {
  readonly tags: readonly string[];
  readonly seenVersion: string;
  readonly action: OnceAction<TagsInput, TagsInput>;
  /** The list that tags lead to. */
  readonly pathname: string;
}

export function EditTags({ tags, seenVersion, action, pathname }: EditTagsProps) {
  return (
    <InlineEdit
      action={action}
      name="tags"
      permission="licenses:write"
      shown={
        tags.length === 0 ? (
          <span className="py-1 text-text-muted">None</span>
        ) : (
          <div className="min-w-0 py-1">
            <TagLinks hrefOf={(tag) => licenseListHref(pathname, { tag })} tags={tags} />
          </div>
        )
      }
      stored={{ tags: formatTags(tags), seenVersion }}
      title="Tags"
    >
      <TagsField inPlace stored={formatTags(tags)} />
    </InlineEdit>
  );
}

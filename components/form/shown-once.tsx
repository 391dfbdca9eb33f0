"use client";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useHeldRefresh } from "#components/ui/use-refresh.ts";

export interface ShownOnceProps {
  readonly title: string;
  /** Says that it is stored, or what else to do. */
  readonly leaveLabel: string;
  readonly onLeave: () => void;
  readonly description?: string;
  readonly size?: "md" | "lg";
  readonly children: ReactNode;
}

/** The one look at a secret: nothing but its own button closes it. Printed, it has the paper to itself. */
export function ShownOnce({ title, description, leaveLabel, onLeave, size = "md", children }: ShownOnceProps) {
  useHeldRefresh();
  return (
    <Dialog
      description={description}
      dismissible={false}
      footer={
        <Button data-autofocus onClick={onLeave}>
          {leaveLabel}
        </Button>
      }
      onClose={onLeave}
      size={size}
      title={title}
    >
      <div className="flex flex-col gap-4" data-printed="">
        {children}
      </div>
    </Dialog>
  );
}

export interface ShownOnceCardProps {
  readonly title: string;
  readonly leaveLabel: string;
  readonly href: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The same in place of the form that created the secret. */
export function ShownOnceCard({ title, leaveLabel, href, className = "max-w-2xl", children }: ShownOnceCardProps) {
  useHeldRefresh();
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className={className}>
      <div className="flex flex-col gap-4">
        <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
          {title}
        </h2>
        {children}
        <div>
          <ButtonLink href={href}>{leaveLabel}</ButtonLink>
        </div>
      </div>
    </Card>
  );
}

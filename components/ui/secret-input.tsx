"use client";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { Input, type InputProps } from "./input.tsx";

/** For passwords and other secrets: hidden until its button shows what is typed. */
export function SecretInput({ className, type, ...input }: InputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative flex">
      <Input {...input} className={cx("w-full pr-10", className)} type={shown ? "text" : type} />
      <span className="absolute inset-y-0 right-0.5 flex items-center">
        <IconButton
          aria-pressed={shown}
          icon={<Icon aria-hidden className="size-4" />}
          label={shown ? "Hide what is typed" : "Show what is typed"}
          onClick={() => setShown(!shown)}
          size="sm"
        />
      </span>
    </span>
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onSwitch(isOn: boolean): void;
  className?: string;
}

/** A switch with its label at its right. */
export function Switch({ label, isOn, isDisabled, onSwitch, className = '' }: SwitchProps) {
  return (
    <label
      className={`flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed ${className}`}
    >
      <input
        type="checkbox"
        role="switch"
        className="size-5 accent-accent"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {label}
    </label>
  );
}

"""What the drivers in Python share: they answer a line after the other."""
import sys


def found(values):
    """Returns values by key as a line."""
    text = {key: value.decode() if isinstance(value, bytes) else value for key, value in values.items()}
    return " ".join(f"{key}={value}" for key, value in text.items() if value is not None)


def serve(store, get, get_many, errors):
    """Answers each line by what one of the functions returns, or by the error that it raises."""

    def answer(command, *words):
        if command == "set":
            return "stored" if store(*words) else "not stored"
        if command == "get":
            return found({words[0]: get(words[0])})
        return found(get_many(words))

    for line in sys.stdin:
        try:
            print(answer(*line.split()), flush=True)
        except errors as e:
            print("error", repr(e), flush=True)

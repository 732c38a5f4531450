#!/bin/sh
# From these examples to a served model to its agreement with readers. Run in this folder, step by step or as a whole:
#   sh recipe.sh            trains, serves and evaluates
#   DRY_RUN=1 sh recipe.sh  prints the commands and what they would cost
# Needs LLaMA-Factory (or Axolotl, with axolotl.yaml) and vLLM on a machine with GPUs, and Fabula wherever the last steps run.
set -eu
BASE=${BASE:-{{baseModel}}}
NAME=${NAME:-novelcritique-own}
PORT=${PORT:-8000}
# LongStoryEval trained three epochs of 176,000 reviews on four A6000 in 125 hours: 500 GPU hours, about 0.0009 each example.
HOURS_PER_EXAMPLE=${HOURS_PER_EXAMPLE:-0.00095}
DOLLARS_PER_HOUR=${DOLLARS_PER_HOUR:-0.8}
EPOCHS=3

step() {
  echo "+ $*"
  if [ -z "${DRY_RUN:-}" ]; then "$@"; fi
}

examples=$(wc -l < train.chat.jsonl)
awk -v n="$examples" -v e="$EPOCHS" -v h="$HOURS_PER_EXAMPLE" -v d="$DOLLARS_PER_HOUR" \
  'BEGIN { t = n * e * h; printf "%d examples, %d epochs: about %.0f GPU hours, $%.0f at $%s an hour (A6000; other cards differ)\n", n, e, t, t * d, d }'

step llamafactory-cli train llama-factory.yaml

echo "+ vllm serve $BASE --enable-lora --max-lora-rank 64 --lora-modules $NAME=adapter --port $PORT &"
if [ -z "${DRY_RUN:-}" ]; then
  vllm serve "$BASE" --enable-lora --max-lora-rank 64 --lora-modules "$NAME=adapter" --port "$PORT" &
  server=$!
  trap 'kill $server' EXIT
  until curl -sf "http://localhost:$PORT/v1/models" > /dev/null; do sleep 5; done
fi

step fabula evaluate --in test-books.jsonl --judge "$NAME@http://localhost:$PORT/v1" --protocol novelcritique{{prompts}} --out evaluations.jsonl
step fabula agree test-books.jsonl --evaluations evaluations.jsonl --human average_rating

#!/usr/bin/env python3
"""A worker: fetches runs of the targets it is started with, does them, and says how they ended.

CARILLON_SERVER=http://127.0.0.1:8080 CARILLON_TOKEN=crl_... python3 worker.py TARGET...
"""
import concurrent.futures, json, os, signal, socket, sys, threading, time, urllib.request

NAME = f"{socket.gethostname()}-{os.getpid()}"
LEASE = float(os.environ.get("WORKER_LEASE", "30"))  # seconds; a heartbeat goes out every third of it
THREADS, AHEAD = 8, 32
in_hand, ended = {}, []
stopping, claimed_last, over = threading.Event(), threading.Event(), threading.Event()

def work(run):  # yours goes here; raise to fail
    time.sleep(run["payload"].get("seconds", 0))
    print(f"did {run['id']}\n", end="", flush=True)  # in one piece, among other threads

def ask(what, body):
    url = os.environ.get("CARILLON_SERVER", "http://127.0.0.1:8080") + "/api/v1/workers/" + what
    headers = {"Authorization": "Bearer " + os.environ["CARILLON_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["runs"]
    except OSError as e:
        print("trying again:", e, file=sys.stderr, flush=True)
        time.sleep(1)
        return []

def handle(key, held, run):
    try:
        if stopping.is_set():  # what has not begun is given back, but not to be claimed here again
            claimed_last.wait()
            end = {"outcome": "interrupted"}
        else:
            work(run)
            end = {"outcome": "succeeded"}
    except Exception as e:
        end = {"outcome": "failed", "failure": {"code": type(e).__name__, "message": str(e)}}
    ended.append((key, {**held, **end}))

def report():  # in the background: ends, in batches, and heartbeats
    beat = time.monotonic()
    while not over.wait(0.1) or ended:
        batch = ended[:1000]
        for (key, _), told in zip(batch, ask("complete", [end for _, end in batch]) if batch else []):
            ended.pop(0)  # only what was answered: the rest is said again
            del in_hand[key]
            if told["answer"] != "done":
                print(f"{told['answer']} {told['id']}\n", end="", flush=True)  # somebody else has it by now
        if in_hand and time.monotonic() - beat > LEASE / 3:
            beat = time.monotonic()
            ask("heartbeat", {"worker": NAME, "lease": f"PT{LEASE}S", "runs": list(in_hand.values())})

signal.signal(signal.SIGTERM, lambda *_: stopping.set())
threading.Thread(target=report).start()
with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
    while not stopping.wait(0 if len(in_hand) < AHEAD else 0.05):
        order = {"worker": NAME, "targets": sys.argv[1:], "wait": "PT5S", "lease": f"PT{LEASE}S"}
        for run in ask("claim", {**order, "max": AHEAD - len(in_hand)}) if len(in_hand) < AHEAD else []:
            key, held = (run["id"], run["attempt"]), {name: run[name] for name in ("id", "attempt", "fence")}
            in_hand[key] = held
            threads.submit(handle, key, held, run)
    claimed_last.set()
over.set()
